"""Users, teams and their mail addresses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class User:
    id: str
    name: str
    address: str


@dataclass(frozen=True)
class Team:
    id: str
    name: str
    members: tuple


class Directory:
    def __init__(self, users, teams):
        self.users = {user.id: user for user in users}
        self.teams = {team.id: team for team in teams}

    def knows(self, kind, identifier):
        return identifier in (self.users if kind == "USER" else self.teams)

    def recipients(self, kind, identifier):
        if kind == "TEAM":
            return list(self.teams[identifier].members)
        return [self.users[identifier]]
