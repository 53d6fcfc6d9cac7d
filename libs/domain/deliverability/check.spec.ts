import { isFailure, toRecords, getStatus, toUnansweredProblem, type Severity } from './check';

const problems = (...severities: Severity[]) =>
  severities.map((severity) => ({ code: severity, severity, message: '' }));

describe('what a check comes to', () => {
  it.each<[Severity[], string]>([
    [[], 'pass'],
    [['info', 'info'], 'pass'],
    [['info', 'warn', 'info'], 'warn'],
    [['fail', 'warn'], 'fail'],
    [['warn', 'info', 'fail'], 'fail'],
  ])('problems %j make it %s', (severities, status) => {
    expect(getStatus(problems(...severities))).toBe(status);
  });
});

describe('answers of the resolver', () => {
  it.each(['servfail', 'timeout', 'refused', 'malformed', 'unreachable'] as const)('%s leaves it open', (kind) => {
    const answer = { kind, message: 'no luck' };
    expect(isFailure(answer)).toBe(true);
    expect(toRecords(answer)).toEqual([]);
    expect(toUnansweredProblem('example.com', answer)).toMatchObject({
      severity: 'info',
      message: expect.stringContaining(`example.com (${kind}: no luck)`),
    });
  });

  it('a reliable no and records are answers', () => {
    expect(isFailure({ kind: 'nxdomain', ttl: 60 })).toBe(false);
    expect(isFailure({ kind: 'nodata', ttl: 60 })).toBe(false);
    const records = { kind: 'records' as const, records: ['v=spf1 -all'], ttl: 60 };
    expect(isFailure(records)).toBe(false);
    expect(toRecords(records)).toEqual(['v=spf1 -all']);
    expect(toRecords({ kind: 'nodata', ttl: 60 })).toEqual([]);
  });
});
