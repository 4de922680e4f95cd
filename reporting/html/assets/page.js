// Filters, links and unfolds. All content is created as nodes and text, never as markup.
;(() => {
  const byId = (id) => document.getElementById(id)
  const data = JSON.parse(byId('data').textContent)
  const form = byId('filters')
  const clauses = [...document.querySelectorAll('details.clause')]
  const sections = [...document.querySelectorAll('.section')]
  const exchanges = new Map(data.exchanges.map((each) => [String(each[0]), each]))
  const byClause = new Map(clauses.map((each) => [each.dataset.id, each]))
  const squares = [...document.querySelectorAll('.picture a')]
  const chips = [...document.querySelectorAll('button[data-name]')]
  const ofSquare = ({ hash }) => byClause.get(decodeURIComponent(hash.replace('#clause=', '')))

  const el = (name, className, ...content) => {
    const made = document.createElement(name)
    if (className) made.className = className
    made.append(...content)
    return made
  }

  // An exchange is built when it is unfolded.
  function exchangeOf(number, role = '') {
    const [, what, came, facts, ...rest] = exchanges.get(number)
    const details = el(
      'details',
      'exchange',
      el(
        'summary',
        '',
        ...(role ? [el('span', 'role', role), ' '] : []),
        `#${number} `,
        el('code', '', what),
        ` → ${came}`,
      ),
    )
    details.dataset.number = number
    const side = (title, line, [head, body]) => {
      const text = [line, data.texts[head]].filter(Boolean).join('\n')
      const whole = data.texts[body] ? `${text}\n\n${data.texts[body]}` : text
      return [el('p', 'part', title), el('pre', '', whole)]
    }
    fill(details, () => [
      el('p', 'facts', facts),
      ...side('Request', what, rest),
      ...side('Response', came, rest.slice(2)),
      ...(rest[4] ? [el('p', 'part', 'Send it again'), el('pre', 'curl', rest[4])] : []),
    ])
    return details
  }

  /** Builds content on the first unfolding. */
  function fill(details, contentOf) {
    details.addEventListener('toggle', () => {
      if (!details.open || details.filled) return
      details.filled = true
      details.append(el('div', 'inside', ...contentOf()))
      copyable(details)
    })
  }

  function contentOf(clause) {
    const [rows, evidence] = data.clauses[clause.dataset.at]
    const rests = evidence.split(' ').flatMap((text) => {
      const [number, role = ''] = text.split('.')
      return exchanges.has(number) ? [{ number, role }] : []
    })
    const of = ({ number, role }) => exchangeOf(number, role)
    const isNear = ({ role }) => role !== '' && role !== 'put-back'
    const others = rests.filter((each) => !isNear(each))
    const dl = el('dl')
    for (const [name, text] of rows)
      dl.append(el('div', '', el('dt', '', name), el('dd', 'said', text)))
    const count = `${others.length} ${rests.length > others.length ? 'other ' : ''}exchanges`
    const earlier = el('details', '', el('summary', '', count))
    fill(earlier, () => others.map(of))
    const link = el('a', '', 'Link to this clause')
    link.href = `#clause=${encodeURIComponent(clause.dataset.id)}`
    return [
      dl,
      el('p', 'part', `Exchanges: ${rests.length}`),
      ...rests.filter(isNear).map(of),
      ...(others.length > 0 ? [earlier] : []),
      el('p', '', link),
    ]
  }

  for (const clause of clauses) fill(clause, () => contentOf(clause))
  const list = byId('part=exchanges')
  const listAll = () => {
    if (list.filled) return
    list.filled = true
    list.append(...[...exchanges.keys()].map((number) => exchangeOf(number)))
  }
  list.addEventListener('toggle', listAll)

  const read = () => new URLSearchParams(location.hash.slice(1))
  const write = (state) => {
    const text = [...state]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search)
  }
  const wordsOf = (clause) => {
    const [rows] = data.clauses[clause.dataset.at]
    return `${clause.textContent} ${rows.flat().join(' ')}`.toLowerCase()
  }

  function wanted(state) {
    const listed = (name) => state.get(name)?.split(',')
    const [verdicts, levels, ids, since] = ['verdict', 'level', 'ids', 'since'].map(listed)
    const globs = ids?.map(
      (id) => new RegExp(`^${id.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
    )
    const texts = (state.get('text') ?? '').toLowerCase().split(/\s+/)
    return (clause) =>
      (!verdicts || verdicts.includes(clause.dataset.verdict)) &&
      (!levels || levels.includes(clause.dataset.level)) &&
      (!since || since.includes(clause.dataset.since)) &&
      (!globs || globs.some((glob) => glob.test(clause.dataset.id))) &&
      texts.every((text) => text === '' || wordsOf(clause).includes(text))
  }

  /** Shows what the fragment names; `move`: scrolls there. */
  function show(move) {
    const state = read()
    const is = wanted(state)
    const linked = clauses.find(({ dataset }) => dataset.id === state.get('clause'))
    let count = 0
    for (const clause of clauses) {
      clause.hidden = !is(clause) && clause !== linked
      clause.classList.toggle('linked', clause === linked)
      if (!clause.hidden) count += 1
    }
    for (const each of document.querySelectorAll('[data-ids]'))
      each.hidden = !each.dataset.ids
        .split(' ')
        .some((id) => byClause.has(id) && is(byClause.get(id)))
    for (const square of squares) square.classList.toggle('off', !is(ofSquare(square)))
    for (const chip of chips)
      chip.ariaPressed = valuesOf(chip).every((each) => listedIn(state, chip).includes(each))
    for (const section of sections)
      section.hidden = !section.querySelector('details.clause:not([hidden])')
    byId('shown').textContent = `${count} of ${clauses.length} clauses`
    if (document.activeElement !== form.elements.text)
      form.elements.text.value = state.get('text') ?? ''
    if (!move) return
    const part = byId(`part=${state.get('part')}`)
    if (part?.matches('details')) part.open = true
    if (linked) goTo(linked)
    else if (exchanges.has(state.get('exchange'))) {
      listAll()
      goTo(list.querySelector(`[data-number="${state.get('exchange')}"]`))
    } else if (['verdict', 'level', 'ids', 'text', 'since'].some((name) => state.has(name)))
      goTo(byId('part=clauses'))
  }

  function goTo(details) {
    for (let each = details; each; each = each.parentElement?.closest('details')) each.open = true
    details.scrollIntoView()
    details.querySelector('summary').focus({ preventScroll: true })
  }

  const valuesOf = (chip) => chip.dataset.value.split(',')
  const listedIn = (state, { dataset }) => state.get(dataset.name)?.split(',') ?? []
  const places = ['clause', 'exchange', 'part', 'main']

  for (const chip of chips)
    chip.addEventListener('click', () => {
      const state = read()
      const [own, all] = [valuesOf(chip), listedIn(state, chip)]
      const rest = all.filter((each) => !own.includes(each))
      const isOn = own.every((each) => all.includes(each))
      state.set(chip.dataset.name, (isOn ? rest : [...rest, ...own]).join(','))
      for (const name of places) state.delete(name)
      write(state)
      show(false)
    })

  // The picture is one stop of the Tab key; arrows move within it, up and down from cell to cell.
  function enter(square) {
    for (const each of squares) each.tabIndex = each === square ? 0 : -1
    return square
  }
  for (const happens of ['focusin', 'pointerover'])
    byId('picture')?.addEventListener(happens, ({ target }) => {
      const clause = target.matches('a') && ofSquare(target)
      if (clause) target.ariaLabel = clause.textContent
    })
  byId('picture')?.addEventListener('keydown', (event) => {
    const at = squares.indexOf(event.target)
    if (at < 0) return
    const firsts = squares.filter((each) => !each.previousElementSibling)
    const to = {
      ArrowRight: squares[at + 1],
      ArrowLeft: squares[at - 1],
      ArrowDown: firsts.find((each) => squares.indexOf(each) > at),
      ArrowUp: firsts.findLast((each) => squares.indexOf(each) < at),
    }[event.key]
    if (!to) return
    event.preventDefault()
    enter(to).focus()
  })
  enter(squares[0])

  let typing
  form.addEventListener('input', () => {
    // Browsers limit how often an address may change.
    clearTimeout(typing)
    typing = setTimeout(() => {
      const state = read()
      state.set('text', form.elements.text.value.trim())
      for (const name of places) state.delete(name)
      write(state)
      show(false)
    }, 150)
  })
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('reset', () => {
    write([])
    setTimeout(() => show(false))
  })

  // Only secure contexts have a clipboard: not plain http.
  function copyable(within) {
    if (!navigator.clipboard) return
    for (const command of within.querySelectorAll('.curl')) {
      const button = el('button', '', 'Copy')
      button.type = 'button'
      button.addEventListener('click', async () => {
        const copied = navigator.clipboard.writeText(command.textContent)
        button.textContent = await copied.then(
          () => 'Copied',
          () => 'Select it by hand',
        )
      })
      command.before(button)
    }
  }

  copyable(document)
  form.hidden = false
  show(false)
  addEventListener('hashchange', () => show(true))
  // After loading, the browser moves to a fragment by itself and takes the focus.
  if (location.hash) addEventListener('load', () => setTimeout(() => show(true)))
})()
