// What the page can do beside being read: filter, link, and show an exchange where it is referred to.
// All that it shows is in the page already and is moved or copied as nodes, never as markup.
;(() => {
  const form = document.getElementById('filters')
  const shown = document.getElementById('shown')
  const clauses = [...document.querySelectorAll('details.clause')]
  const sections = [...document.querySelectorAll('.section')]
  const texts = new Map()

  const read = () => new URLSearchParams(location.hash.slice(1))

  const write = (state) => {
    const text = [...state]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search)
  }

  const textOf = (clause) => {
    if (!texts.has(clause)) texts.set(clause, clause.textContent.toLowerCase())
    return texts.get(clause)
  }

  function wanted(state) {
    const verdicts = state.get('verdict')?.split(',')
    const levels = state.get('level')?.split(',')
    const operation = state.get('operation')
    const kind = state.get('kind')
    const words = (state.get('text') ?? '').toLowerCase().split(/\s+/)
    return ({ dataset }, clause) =>
      (!verdicts || verdicts.includes(dataset.verdict)) &&
      (!levels || levels.includes(dataset.level)) &&
      (!operation || operation === dataset.operation) &&
      (!kind || kind === dataset.kind) &&
      words.every((word) => word === '' || textOf(clause).includes(word))
  }

  /** Shows what the fragment asks for; `move`: and goes there. */
  function show(move) {
    const state = read()
    const is = wanted(state)
    const linked = clauses.find(({ dataset }) => dataset.id === state.get('clause'))
    let count = 0
    for (const clause of clauses) {
      clause.hidden = !is(clause, clause) && clause !== linked
      clause.classList.toggle('linked', clause === linked)
      if (!clause.hidden) count += 1
    }
    for (const section of sections)
      section.hidden = !section.querySelector('details.clause:not([hidden])')
    const kind = state.get('kind')
    shown.textContent = `${count} of ${clauses.length} clauses${kind ? `, of the kind ${kind}` : ''}`
    for (const box of form.querySelectorAll('[type=checkbox]'))
      box.checked = state.get(box.name)?.split(',').includes(box.value) ?? false
    form.elements.operation.value = state.get('operation') ?? ''
    if (document.activeElement !== form.elements.text)
      form.elements.text.value = state.get('text') ?? ''
    if (!move) return
    if (linked) goTo(linked)
    else if (state.has('exchange')) goTo(exchange(state.get('exchange')))
    else if (['verdict', 'level', 'operation', 'kind', 'text'].some((name) => state.has(name)))
      document.getElementById('part=clauses').scrollIntoView()
  }

  const exchange = (number) => document.getElementById(`exchange=${number}`)?.closest('details')

  function goTo(details) {
    if (!details) return
    details.open = true
    details.scrollIntoView()
    details.querySelector('summary').focus({ preventScroll: true })
  }

  let typing
  function filtered() {
    const state = read()
    const checked = (name) =>
      [...form.querySelectorAll(`[name=${name}]:checked`)].map(({ value }) => value).join(',')
    for (const name of ['verdict', 'level']) state.set(name, checked(name))
    state.set('operation', form.elements.operation.value)
    state.set('text', form.elements.text.value.trim())
    for (const name of ['clause', 'exchange', 'part', 'main']) state.delete(name)
    write(state)
    show(false)
  }

  form.addEventListener('change', filtered)
  form.addEventListener('input', () => {
    // browsers bound how often an address may be changed
    clearTimeout(typing)
    typing = setTimeout(filtered, 150)
  })
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('reset', () => {
    write([])
    setTimeout(() => show(false))
  })
  const fold = (open) => () => {
    for (const clause of clauses) if (!clause.hidden) clause.open = open
  }
  document.getElementById('unfold').addEventListener('click', fold(true))
  document.getElementById('fold').addEventListener('click', fold(false))
  addEventListener('hashchange', () => show(true))

  // An exchange unfolds where it is referred to, with its nodes copied when somebody looks.
  function unfoldable(item) {
    const link = item.querySelector('a')
    if (!link) return
    const number = decodeURIComponent(link.hash).replace('#exchange=', '')
    const line = exchange(number)?.querySelector('summary')
    if (!line) return
    const details = document.createElement('details')
    details.append(line.cloneNode(true))
    details.addEventListener('toggle', () => {
      if (details.children.length > 1) return
      const copy = document.getElementById(`exchange=${number}`)?.cloneNode(true)
      if (!copy) return
      copy.removeAttribute('id')
      for (const button of copy.querySelectorAll('button')) button.remove()
      details.append(copy)
      copyable(copy)
    })
    link.replaceWith(details)
  }

  // The clipboard is there for pages that a browser trusts: not over plain http.
  function copyable(within) {
    const command = within.querySelector('pre.curl')
    if (!command || !navigator.clipboard) return
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const copied = navigator.clipboard.writeText(command.textContent)
      button.textContent = await copied.then(
        () => 'Copied',
        () => 'Select it by hand',
      )
    })
    command.before(button)
  }

  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!target.open) return
      if (target.matches('details.clause, details.earlier'))
        for (const item of target.querySelectorAll(':scope > .inside > ul > li, :scope > ul > li'))
          unfoldable(item)
      if (target.matches('details.exchange') && !target.querySelector('button')) copyable(target)
    },
    true,
  )
  for (const clause of clauses) if (clause.open) clause.dispatchEvent(new Event('toggle'))

  for (const cell of document.querySelectorAll('[data-go]')) {
    const link = document.createElement('a')
    link.href = cell.dataset.go
    link.append(...cell.childNodes)
    cell.append(link)
  }
  form.hidden = false
  show(false)
  // The browser goes to a fragment by itself when all is loaded, and takes the focus with it.
  if (location.hash) addEventListener('load', () => setTimeout(() => show(true)))
})()
