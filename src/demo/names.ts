import type { Random } from '#platform/sample-data/random.ts'

const FIRST = [
  'Aylin',
  'Anton',
  'Birgit',
  'Bernd',
  'Clara',
  'Callum',
  'Dilara',
  'David',
  'Elif',
  'Emil',
  'Fiona',
  'Felix',
  'Greta',
  'Georg',
  'Hannah',
  'Henrik',
  'Ines',
  'Ivan',
  'Jana',
  'Jonas',
  'Katrin',
  'Konrad',
  'Leonie',
  'Lukas',
  'Marta',
  'Malte',
  'Nele',
  'Niklas',
  'Oksana',
  'Oscar',
  'Petra',
  'Piotr',
  'Ruth',
  'Rafael',
  'Selin',
  'Sönke',
  'Tabea',
  'Thorsten',
  'Ulla',
  'Uwe',
  'Vera',
  'Viktor',
  'Wiebke',
  'William',
  'Yasmin',
  'Yannick',
  'Zoë',
  'Zeki',
  'Astrid',
  'Arjun',
  'Beatrix',
  'Ben',
  'Charlotte',
  'Claas',
  'Emma',
  'Erik',
  'Frauke',
  'Finn',
  'Grace',
  'Gregor',
] as const

const LAST = [
  'Ahrens',
  'Albers',
  'Bauer',
  'Behrens',
  'Böhm',
  'Bridges',
  'Carstens',
  'Clausen',
  'Demir',
  'Diekmann',
  'Ebert',
  'Ellis',
  'Engel',
  'Fischer',
  'Fröhlich',
  'Gärtner',
  'Grant',
  'Groth',
  'Hansen',
  'Harms',
  'Hinrichs',
  'Hughes',
  'Iversen',
  'Jansen',
  'Jürgens',
  'Kaya',
  'Keller',
  'Kowalski',
  'Krüger',
  'Lange',
  'Lehmann',
  'Lorenz',
  'Maaß',
  'Martens',
  'Meyer',
  'Murphy',
  'Neumann',
  'Novak',
  'Oltmann',
  'Otto',
  'Paulsen',
  'Peters',
  'Quast',
  'Rasmussen',
  'Reimers',
  'Richter',
  'Schäfer',
  'Schröder',
  'Sievers',
  'Stahl',
  'Tanaka',
  'Thomsen',
  'Turner',
  'Ulrich',
  'Vogel',
  'Voß',
  'Wagner',
  'Wulf',
  'Yilmaz',
  'Zimmermann',
] as const

/** Number of different names. */
const NAME_COUNT = FIRST.length * LAST.length

export type Name = { displayName: string; email: string }

const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ë: 'e' }

export function emailOf(displayName: string): string {
  const plain = displayName.toLowerCase().replace(/[äöüßë]/g, (letter) => SPELLED[letter]!)
  return `${plain.replaceAll(' ', '.')}@demo.example`
}

/** The name with a number: unique below NAME_COUNT, and the first sixty share no first or last name. */
export function makeNames(random: Random): (index: number) => Name {
  const first = random.shuffled(FIRST)
  const last = random.shuffled(LAST)
  return (index) => {
    if (index >= NAME_COUNT) throw new RangeError(`there are ${NAME_COUNT} names only`)
    const round = Math.floor(index / first.length)
    const displayName = `${first[index % first.length]} ${last[(index + round) % last.length]}`
    return { displayName, email: emailOf(displayName) }
  }
}
