import { type ReportsFacts, reportsSentOnce } from './invariants-reports';

const report = (id: string, more: Partial<ReportsFacts['reports'][number]> = {}) => ({
  _id: id,
  recipientId: 'ada',
  key: `weekly ${id}`,
  email: 'ada@example.com',
  state: 'sent',
  reason: null,
  messageId: `<${id}@senders.test>`,
  ...more,
});
const mail = (id: string, to = 'ada@example.com') => ({ messageId: `<${id}@senders.test>`, to: [to] });
const lost = { state: 'unknown', reason: 'Its server did not answer' };
const RIGHT: ReportsFacts = {
  reports: [
    report('1'),
    report('2', lost),
    report('3', lost),
    report('4', { state: 'withheld', messageId: null, reason: 'The address is suppressed' }),
  ],
  recipients: [
    { _id: 'ada', totalReportsSent: 1 },
    { _id: 'bob', totalReportsSent: 0 },
  ],
  accepted: [mail('1'), mail('2')],
};
const found = (facts: Partial<ReportsFacts>, settled = true) => [
  ...reportsSentOnce({ ...RIGHT, ...facts }, { settled }),
];
const changed = (id: string, more: Partial<ReportsFacts['reports'][number]>) => ({
  reports: RIGHT.reports.map((one) => (one._id === id ? { ...one, ...more } : one)),
});

describe('the invariant of reports', () => {
  it('reports nothing for valid facts', () => {
    expect(found({})).toEqual([]);
  });

  it.each<[string, string, Partial<ReportsFacts>]>([
    ['a report is sent twice', '1: accepted 2 times', { accepted: [...RIGHT.accepted, mail('1')] }],
    [
      'a report with an unknown outcome is sent twice',
      '1: accepted 2 times',
      { accepted: [...RIGHT.accepted, mail('2')] },
    ],
    ['two reports exist for one period', '1: 2 reports', changed('2', { key: 'weekly 1' })],
    ['a report goes to another person', '1: accepted for another person', { accepted: [mail('1', 'eve@example.com')] }],
    ['a report is sent according to the database only', '2: the server never accepted it', { accepted: [] }],
    ['a withheld report is on the server', '2: the server has accepted it', changed('1', { state: 'withheld' })],
    ['an unknown outcome has no reason', '2: uncertain without a reason', changed('2', { reason: null })],
    ['a report is not in a final state', '2: not in a final state', changed('3', { state: 'sending' })],
    ['a report is counted twice', '3: recipient ada', { recipients: [{ _id: 'ada', totalReportsSent: 2 }] }],
    ['a sent report is not counted', '3: recipient ada', { recipients: [{ _id: 'ada', totalReportsSent: 0 }] }],
  ])('finds that %s', (_what, line, facts) => {
    expect(found(facts)).toContainEqual(expect.stringContaining(line));
  });

  it('accepts open reports that can still be sent', () => {
    expect(found(changed('3', { state: 'sending' }), false)).toEqual([]);
  });
});
