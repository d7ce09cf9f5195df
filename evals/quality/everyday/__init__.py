"""The everyday world: one invented store with content in every door, and 200 questions about it.

    world/*.txt     the hand-written records, a file a topic: everything that a question asks for, and its near misses
    fill.py         some three hundred records more, made of hand-written parts: the rest of a working life
    questions.jsonl the questions with their gold items, written before anything was tuned on them
    entries.py      records before they are kept, and how the files spell them
    world.py        both as values, and a store of them
    measures.py     measures of one answer, pure
    report.py       means, tables and paired differences

Half a is looked at, half b only reported; topics, not questions, were divided.
"""
