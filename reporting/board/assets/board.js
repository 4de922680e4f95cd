// Filters the clauses of a board; without the script the table shows all of them.
const table = document.querySelector('#clauses table')
if (table) {
  const rows = [...table.tBodies[0].rows]
  const form = document.createElement('form')
  form.className = 'find'
  form.innerHTML =
    '<label>Find <input type="search" name="words" placeholder="id or words ( / )"></label>' +
    '<label>Show <select name="kind"><option value="">all clauses</option>' +
    '<option value="apart">what differs or breaks</option>' +
    '<option value="open">what is not checked somewhere</option></select></label><output></output>'
  const { words, kind } = form.elements
  const fromAddress = new URLSearchParams(location.hash.slice(1))
  words.value = fromAddress.get('find') ?? ''
  kind.value = fromAddress.get('show') ?? ''
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/)
    for (const row of rows)
      row.hidden =
        !wanted.every((word) => row.dataset.text.includes(word)) ||
        !row.dataset.kinds.includes(kind.value)
    const count = rows.filter((row) => !row.hidden).length
    form.querySelector('output').textContent = `${count} of ${rows.length} clauses`
    const state = new URLSearchParams({ find: words.value, show: kind.value })
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
