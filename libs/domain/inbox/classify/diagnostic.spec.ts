import { classifyDiagnostic } from './diagnostic';
import { bounceRules } from './rules/bounce-rules';
import { DIAGNOSTIC_SAMPLES, NEVER_HARD } from './testing/diagnostic-samples';

const { code, provider, sender, senderHints, transient, recipient, recipientHints, local } = bounceRules.value;
const RULES = [
  ...provider,
  ...sender,
  ...senderHints,
  ...transient,
  ...recipient,
  ...recipientHints,
  ...local,
  ...code.codes,
  ...code.replies,
];

describe('a server’s reply', () => {
  it.each(DIAGNOSTIC_SAMPLES)('is classified by %s (%s): %s', (rule, verdict, text) => {
    expect(classifyDiagnostic({ text })).toMatchObject({ rule, verdict });
  });

  it('has a labelled sample for every rule', () => {
    const sampled = new Set(DIAGNOSTIC_SAMPLES.map(([rule]) => rule));
    expect(RULES.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it.each(NEVER_HARD)('is never hard without certainty: %s', (text) => {
    expect(classifyDiagnostic({ text }).verdict).not.toBe('hard');
  });
});

describe('codes', () => {
  it('are read from the text when the report has none', () => {
    expect(classifyDiagnostic({ text: 'host mx said: 550 5.1.1 hm' })).toMatchObject({
      smtpCode: 550,
      enhanced: '5.1.1',
    });
  });

  it('rank below text: 5.1.1 with text about the sender is the sender’s fault', () => {
    expect(classifyDiagnostic({ enhanced: '5.1.1', text: 'blocked using a block list' }).verdict).toBe('policy');
  });

  it('rank below text: 5.7.1 with text about the recipient is the recipient’s fault', () => {
    expect(classifyDiagnostic({ enhanced: '5.7.1', text: '550 User unknown' }).verdict).toBe('hard');
  });

  it('of the report rank below a more specific code of the reply', () => {
    expect(classifyDiagnostic({ enhanced: '5.0.0', text: '550 5.2.2 hm' })).toMatchObject({
      enhanced: '5.2.2',
      verdict: 'soft',
    });
  });

  it('that are temporary make every verdict soft, and name the rule', () => {
    expect(classifyDiagnostic({ smtpCode: 450, text: 'User unknown' })).toMatchObject({
      verdict: 'soft',
      rule: 'user-not-known.may-pass',
    });
  });

  it('are not found in sizes, ports and addresses', () => {
    expect(classifyDiagnostic({ text: 'message of 550 kB to [192.0.2.1]:25 took 5.10.2' })).toMatchObject({
      smtpCode: null,
      enhanced: null,
      by: 'none',
    });
  });
});

it('the classification ignores text inside addresses, host names and links', () => {
  const text = '550 5.1.1 <spam.blacklist@policy.test>: User unknown (host spam.filter.test, https://x.test/blocked)';
  expect(classifyDiagnostic({ text }).verdict).toBe('hard');
});

it('reads a reply of several lines as one sentence', () => {
  const text = '550-5.1.1 The email account that you tried to reach does not\n550 5.1.1 exist. Please try again';
  expect(classifyDiagnostic({ text })).toMatchObject({ verdict: 'hard', enhanced: '5.1.1' });
});
