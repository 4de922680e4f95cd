# A CSV of Ruby's own library, and a PDF of Prawn.
require 'csv'
require 'json'
require 'prawn'
require 'prawn/table'

few = JSON.parse(File.read('few.json'))
all = JSON.parse(File.read('events.json'))
CSV.open('ruby-csv.csv', 'w') do |csv|
  csv << few[0].keys
  few.each { |event| csv << event.values }
end
Prawn::Fonts::AFM.hide_m17n_warning = true
Prawn::Document.generate('prawn.pdf', page_layout: :landscape) do
  font_size 7
  table([%w[Time Id Type Action]] + all.map { |event| event.values_at('time', 'id', 'event_type', 'sub_type') }, header: true)
end
