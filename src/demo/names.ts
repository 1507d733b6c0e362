import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { Random } from '#platform/sample-data/random.ts'

const split = (names: string): readonly string[] => names.trim().split(/\s+/)

/** As many in each language: the same seed gives the same number of people. */
const FIRST: Record<SourceLanguage, readonly string[]> = {
  en: split(`
    Aisha Adam Bethany Brian Clara Callum Daisy David Elsie Edward Fiona Felix Grace George Hannah Harry Imogen Isaac
    Jasmine Joseph Katie Kwame Lauren Lucas Martha Michael Nadia Nathan Olivia Oscar Pippa Piotr Ruth Rafael Sophie Stephen
    Tessa Thomas Una Umar Vera Victor Wendy William Yasmin Yusuf Zoe Zack Alice Arjun Beatrice Ben Charlotte Colin Emma Eric
    Freya Finn Gemma Graham`),
  de: split(`
    Aylin Anton Birgit Bernd Clara Callum Dilara David Elif Emil Fiona Felix Greta Georg Hannah Henrik Ines Ivan Jana Jonas
    Katrin Konrad Leonie Lukas Marta Malte Nele Niklas Oksana Oscar Petra Piotr Ruth Rafael Selin Sönke Tabea Thorsten Ulla
    Uwe Vera Viktor Wiebke William Yasmin Yannick Zoë Zeki Astrid Arjun Beatrix Ben Charlotte Claas Emma Erik Frauke Finn
    Grace Gregor`),
}

const LAST: Record<SourceLanguage, readonly string[]> = {
  en: split(`
    Adams Allen Barnes Bell Booth Bridges Carter Clarke Dawson Dixon Edwards Ellis Evans Fisher Fletcher Gardner Grant Green
    Hall Harris Hill Hughes Irving Jackson James Kaur Kelly Khan King Lane Lewis Lloyd Marsh Mason Miller Murphy Newman
    Novak Owens Osborne Palmer Patel Quinn Reed Roberts Russell Shaw Singh Spencer Stone Tanaka Taylor Turner Underwood
    Vaughan Voss Walker Webb Young Yates`),
  de: split(`
    Ahrens Albers Bauer Behrens Böhm Bridges Carstens Clausen Demir Diekmann Ebert Ellis Engel Fischer Fröhlich Gärtner
    Grant Groth Hansen Harms Hinrichs Hughes Iversen Jansen Jürgens Kaya Keller Kowalski Krüger Lange Lehmann Lorenz Maaß
    Martens Meyer Murphy Neumann Novak Oltmann Otto Paulsen Peters Quast Rasmussen Reimers Richter Schäfer Schröder Sievers
    Stahl Tanaka Thomsen Turner Ulrich Vogel Voß Wagner Wulf Yilmaz Zimmermann`),
}

/** Number of different names. */
const NAME_COUNT = FIRST.de.length * LAST.de.length

export type Name = { displayName: string; email: string }

const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ë: 'e' }

export function emailOf(displayName: string): string {
  const plain = displayName.toLowerCase().replace(/[äöüßë]/g, (letter) => SPELLED[letter]!)
  return `${plain.replaceAll(' ', '.')}@demo.example`
}

/** The name with a number: unique below NAME_COUNT, and the first sixty share no first or last name. */
export function makeNames(random: Random, language: SourceLanguage): (index: number) => Name {
  const first = random.shuffled(FIRST[language])
  const last = random.shuffled(LAST[language])
  return (index) => {
    if (index >= NAME_COUNT) throw new RangeError(`there are ${NAME_COUNT} names only`)
    const round = Math.floor(index / first.length)
    const displayName = `${first[index % first.length]} ${last[(index + round) % last.length]}`
    return { displayName, email: emailOf(displayName) }
  }
}
