"""People of a team server: users, projects, roles, personal tokens, quotas, and the log of their acts.

    token ──hash──▶ person ──role──▶ project ──▶ the project's own store, seen as that person

The tables stand in the store of the server. The content of each project is a store of its own below it
(`projects/NAME`, or on a server a schema behind a wall), so that no statement can reach from one project into another;
inside a project, memories and records have owners, and a person is the owner of their name.
"""
