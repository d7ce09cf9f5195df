"""Running text: the names of months, the points that end no sentence, the messages of a chat."""
