import type { Dice } from './dice.ts'
import type { Person, Target, Team } from './model.ts'

const NAMES = ['Orla Quist', 'Bram Tadesse', 'Ines Varga', 'Kofi Lund', 'Mei Sorel']
const TEAM_NAMES = ['Northern Reviews', 'Second Line']

/** Who there is: five users, two teams, an actor and a few more who only cause events. */
export class Directory {
  readonly users: Person[]
  readonly teams: Team[]
  readonly actor: Person
  readonly others: Person[]

  constructor(dice: Dice) {
    const person = (name: string): Person => ({
      id: dice.uuid(),
      name,
      mail: `${name.toLowerCase().replace(' ', '.')}@thirdhouse.test`,
    })
    this.users = NAMES.map(person)
    this.actor = person('Ada Pellgrin')
    this.others = ['System Runner', 'Tomas Eck', 'Lina Brandt'].map(person)
    const ids = this.users.map((user) => user.id)
    this.teams = TEAM_NAMES.map((name, at) => ({
      id: dice.uuid(),
      name,
      members: at === 0 ? ids.slice(1, 3) : ids.slice(2),
    }))
  }

  everybody(): Person[] {
    return [...this.users, this.actor, ...this.others]
  }

  knowsUser(id: string): boolean {
    return this.everybody().some((person) => person.id === id)
  }

  knows(target: Target): boolean {
    if (target.type === 'USER') return this.knowsUser(target.id)
    return this.teams.some((team) => team.id === target.id)
  }

  mailsOf(target: Target): string[] {
    const ids =
      target.type === 'USER'
        ? [target.id]
        : (this.teams.find((team) => team.id === target.id)?.members ?? [])
    return this.everybody()
      .filter((person) => ids.includes(person.id))
      .map((person) => person.mail)
  }
}
