/** Comments as people write them, with everything that a file format may handle badly. */
export const comments = [
  'Please review before Friday',
  'Documents received, complete, and filed',
  'Customer said: "call me back", twice',
  'First line\nsecond line',
  'Carriage return\r\nand "quotes", commas;\tand a tab',
  '=SUM(A1:A9)',
  '+49 30 1234567',
  '-1 risk point',
  '@compliance please check',
  'Überprüfung abgeschlossen – Straße fehlt',
  'Vérifié à l’étranger, reçu « copie »',
  'Εκκρεμεί έλεγχος ταυτότητας',
  'Проверка документов завершена',
  '書類を確認しました',
  '고객 확인 완료',
  'ตรวจสอบแล้ว',
  'दस्तावेज़ जाँचे गए',
  'تمت مراجعة المستندات',
  'הבדיקה הושלמה',
  'Approved 👍🏽 by the family office 👨‍👩‍👧‍👦',
  'Price < 100 & > 50; see {"ref": "A-1"}',
  '  leading and trailing spaces  ',
  "O'Brien; Smith | Jones",
  'Zażółć gęślą jaźń',
  'e\u0301 and é are one letter',
  'A long note. '.repeat(24).trim(),
  '""',
  ',',
]

/** Words that tag events of one type. */
export const tags = ['vip', 'pep', 'high-risk', 'renewal', 'watchlist, EU', 'Überprüfung']

/** The kinds of events: type, subtype, source and metadata. */
export const kinds = {
  assessment: {
    subTypes: ['updated', 'created', 'completed'],
    source: 'assessment_service',
    metadata: ['entity_id', 'assessment_id', 'workflow_instance_id', 'workflow_step', 'tag'],
  },
  task: {
    subTypes: ['updated', 'assigned', 'created', 'unassigned', 'reassigned', 'completed'],
    source: 'task_platform',
    metadata: [
      'entity_id',
      'assessment_id',
      'task_id',
      'workflow_instance_id',
      'workflow_step',
      'tag',
    ],
  },
  entity: {
    subTypes: ['updated', 'created', 'viewed'],
    source: 'entity_service',
    metadata: ['entity_id', 'cache_id', 'tag'],
  },
  screening: {
    subTypes: ['created', 'updated', 'viewed'],
    source: 'screening_service',
    metadata: [
      'entity_id',
      'assessment_id',
      'screening_application_id',
      'screening_config_id',
      'match_id',
      'cache_id',
    ],
  },
  inquiry: {
    subTypes: ['created', 'updated', 'completed'],
    source: 'inquiry_service',
    metadata: ['entity_id', 'task_id', 'inquiry_id', 'match_id', 'tag'],
  },
} as const
