"""Running text: the names of months, the points that end no sentence, the fields that are settings, the items to fill in."""
