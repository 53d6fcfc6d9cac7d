import { type Problem } from '../check';
import { getSettled, getTransitions } from './health-change';
import { type HealthStatuses } from './health-report';

const STATUSES: HealthStatuses = { mx: 'pass', spf: 'pass', dkim: 'warn', dmarc: 'unknown' };
const NONE = { mx: [], spf: [], dkim: [], dmarc: [] };
const problem = (code: string, severity: Problem['severity']): Problem => ({ code, severity, message: code });

describe('the state after a check', () => {
  it('is its result, or the previous state when the result is unknown', () => {
    expect(getSettled(STATUSES, { mx: 'unknown', spf: 'fail', dkim: 'unknown', dmarc: 'pass' })).toEqual({
      mx: 'pass',
      spf: 'fail',
      dkim: 'warn',
      dmarc: 'pass',
    });
  });
});

describe('a transition', () => {
  it.each([
    ['pass', 'fail', true],
    ['warn', 'fail', true],
    ['fail', 'pass', true],
    ['fail', 'warn', true],
    ['pass', 'warn', false],
    ['warn', 'pass', false],
    ['pass', 'pass', false],
    ['fail', 'fail', false],
    ['unknown', 'fail', false],
    ['unknown', 'pass', false],
    ['pass', 'unknown', false],
    ['fail', 'unknown', false],
    ['unknown', 'unknown', false],
  ] as const)('from %s to %s: %s', (from, to, isOne) => {
    const found = getTransitions({ ...STATUSES, spf: from }, { ...STATUSES, spf: to }, NONE);
    expect(found).toEqual(isOne ? [{ check: 'spf', from, to, problems: [] }] : []);
  });

  it('is detected across unknown results', () => {
    const between = getSettled(STATUSES, { ...STATUSES, spf: 'unknown' });
    expect(getTransitions(between, { ...STATUSES, spf: 'fail' }, NONE)).toMatchObject([{ from: 'pass', to: 'fail' }]);
  });

  it('names the problems, worst first, each code once, without mere notes', () => {
    const problems = [problem('note', 'info'), problem('b', 'warn'), problem('a', 'fail'), problem('b', 'warn')];
    const [one] = getTransitions(STATUSES, { ...STATUSES, mx: 'fail' }, { ...NONE, mx: problems });
    expect(one?.problems).toEqual(['a', 'b']);
  });

  it('names twenty codes at most', () => {
    const problems = Array.from({ length: 100 }, (_, n) => problem(`code_${n}`, 'fail'));
    const [one] = getTransitions(STATUSES, { ...STATUSES, mx: 'fail' }, { ...NONE, mx: problems });
    expect(one?.problems).toHaveLength(20);
  });

  it('is one for each check', () => {
    const before: HealthStatuses = { mx: 'fail', spf: 'pass', dkim: 'fail', dmarc: 'pass' };
    const after: HealthStatuses = { mx: 'pass', spf: 'fail', dkim: 'warn', dmarc: 'fail' };
    expect(getTransitions(before, after, NONE).map(({ check }) => check)).toEqual(['mx', 'spf', 'dkim', 'dmarc']);
  });
});
