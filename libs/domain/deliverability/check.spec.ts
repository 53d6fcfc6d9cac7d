import { isFailure, toDnsRecords, getCheckStatus, toUnansweredProblem, type Severity } from './check';

const problems = (...severities: Severity[]) =>
  severities.map((severity) => ({ code: severity, severity, message: '' }));

describe('the result of a check', () => {
  it.each<[Severity[], string]>([
    [[], 'pass'],
    [['info', 'info'], 'pass'],
    [['info', 'warn', 'info'], 'warn'],
    [['fail', 'warn'], 'fail'],
    [['warn', 'info', 'fail'], 'fail'],
  ])('with the problems %j is %s', (severities, status) => {
    expect(getCheckStatus(problems(...severities))).toBe(status);
  });
});

describe('answers of the resolver', () => {
  it.each(['servfail', 'timeout', 'refused', 'malformed', 'unreachable'] as const)(
    'leave the result unknown with %s',
    (kind) => {
      const answer = { kind, message: 'no luck' };
      expect(isFailure(answer)).toBe(true);
      expect(toDnsRecords(answer)).toEqual([]);
      expect(toUnansweredProblem('example.com', answer)).toMatchObject({
        severity: 'info',
        message: expect.stringContaining(`example.com (${kind}: no luck)`),
      });
    },
  );

  it('decide the result with records or a reliable negative answer', () => {
    expect(isFailure({ kind: 'nxdomain', ttl: 60 })).toBe(false);
    expect(isFailure({ kind: 'nodata', ttl: 60 })).toBe(false);
    const records = { kind: 'records' as const, records: ['v=spf1 -all'], ttl: 60 };
    expect(isFailure(records)).toBe(false);
    expect(toDnsRecords(records)).toEqual(['v=spf1 -all']);
    expect(toDnsRecords({ kind: 'nodata', ttl: 60 })).toEqual([]);
  });
});
