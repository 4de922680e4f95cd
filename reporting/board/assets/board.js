// Filters and sorts the tables of a board; without it they show everything in the suite's order.
const table = document.querySelector('#clauses table')
const body = table?.tBodies[0]
const rows = body ? [...body.rows] : []

function addFilter() {
  const form = document.createElement('form')
  form.className = 'find'
  form.innerHTML =
    '<label>Find <input type="search" name="words" placeholder="id or words ( / )"></label>' +
    '<label>Show <select name="kind"><option value="">all clauses</option>' +
    '<option value="apart">what differs or breaks</option>' +
    '<option value="open">what is not checked somewhere</option></select></label>' +
    '<output></output>'
  const { words, kind } = form.elements
  const output = form.querySelector('output')
  const fromAddress = new URLSearchParams(location.hash.slice(1))
  words.value = fromAddress.get('find') ?? ''
  kind.value = fromAddress.get('show') ?? ''
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const row of rows) {
      const text = row.dataset.text
      const isMeant = wanted.every((word) => text.includes(word))
      row.hidden = !isMeant || (kind.value !== '' && !row.dataset.kinds.includes(kind.value))
      if (!row.hidden) count += 1
    }
    output.textContent = `${count} of ${rows.length} clauses`
    const state = new URLSearchParams()
    if (words.value) state.set('find', words.value)
    if (kind.value) state.set('show', kind.value)
    history.replaceState(null, '', `${location.pathname}${location.search}#${state}`)
  }
  form.addEventListener('input', apply)
  form.addEventListener('submit', (event) => event.preventDefault())
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select')) return
    event.preventDefault()
    words.focus()
  })
  table.parentElement.before(form)
  apply()
}

/** A column's name becomes a button that sorts by it, and back with the third press. */
function addSorting() {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort')
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort')
      const order = { ascending: 'descending', descending: undefined }
      const next = before === null ? 'ascending' : order[before]
      if (next) head.setAttribute('aria-sort', next)
      const keyOf = (row) =>
        row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent
      const sorted = next
        ? rows.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }))
        : rows
      body.append(...(next === 'descending' ? sorted.toReversed() : sorted))
    })
  }
}

if (table) {
  addFilter()
  addSorting()
}
