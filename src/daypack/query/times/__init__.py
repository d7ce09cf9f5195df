"""The times that a question names, and questions about nothing else.

stretches.py        the calendar: days, months, those that count from now
written_dates.py    "3 May 2024", "last week"
meant_dates.py      the stretch of time that each means
dates.py            the stretch of time that a question names
named.py            that of a question in any language, with its words
abroad.py           times in other languages, as English ones
tense.py            whether a question is in the past, the present or the future
other_times.py      a time that is over or to come
happenings.py       "what did we do yesterday?"
"""
