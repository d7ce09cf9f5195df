"""The times that a question names, and questions about nothing else.

stretches.py        the calendar: days, months, those that count from now
written_dates.py    "3 May 2024", "last week"
dates.py            the stretch of time that a question names
abroad.py           times in other languages, as English ones
past.py             a time that is over
happenings.py       "what did we do yesterday?"
"""
