import { type ProbeAnswer } from '@adapters/probe';
import { type DomainFacts } from './domain/domain-facts';
import { parseAddressSyntax } from './syntax/address-syntax';
import { decideVerdict, type VerdictFacts } from './verdict';
import {
  VERIFICATION_REASONS,
  VERIFICATION_RESULTS,
  type VerificationReason,
  type VerificationResult,
} from './verdict-reasons';

const MAIL: DomainFacts = { kind: 'mail', hosts: ['mx.example'] };

function answer(kind: ProbeAnswer['kind'], catchAll: boolean | null = null): ProbeAnswer {
  return { kind, catchAll, host: 'mx.example', code: null, enhancedCode: null, response: null, retryAfterMs: null };
}

function facts(email: string, given: Partial<VerdictFacts> = {}): VerdictFacts {
  return {
    syntax: parseAddressSyntax(email),
    domain: MAIL,
    isLiteralPublic: false,
    isDisposable: false,
    isRole: false,
    probe: answer('accepted', false),
    ...given,
  };
}

type Row = readonly [string, VerdictFacts, VerificationResult, string];
const ADA = 'ada@example.com';
const about = (given: Partial<VerdictFacts>): VerdictFacts => facts(ADA, given);

const ROWS: readonly Row[] = [
  ['no address', facts('ada'), 'invalid', 'syntax no_at'],
  ['what a header alone may hold', facts('ada(x)@example.com '), 'invalid', 'header_only comment white_space'],
  [
    'a last label that is a number',
    facts('ada@1.2.3.4', { domain: null, probe: 'not_asked' }),
    'invalid',
    'numeric_tld',
  ],
  ['a public address literal', facts('ada@[8.8.4.4]', { isLiteralPublic: true }), 'risky', 'address_literal'],
  ['a private address literal', facts('ada@[10.0.0.1]'), 'invalid', 'address_literal address_not_public'],
  ['no such domain', about({ domain: { kind: 'not_found' } }), 'invalid', 'domain_not_found'],
  ['a null MX', about({ domain: { kind: 'null_mx' } }), 'invalid', 'null_mx'],
  ['a domain without a host', about({ domain: { kind: 'no_mail_host' } }), 'invalid', 'no_mail_host'],
  ['a domain whose hosts are no hosts', about({ domain: { kind: 'hosts_unusable' } }), 'invalid', 'hosts_unusable'],
  ['a resolver that says nothing', about({ domain: { kind: 'unanswered' } }), 'unknown', 'dns_no_answer'],
  ['DNS that took all the time', about({ domain: null, probe: 'out_of_time' }), 'unknown', 'out_of_time'],
  ['a domain that accepts mail, without a probe', about({ probe: 'not_asked' }), 'unknown', 'mailbox_not_asked'],
  ['a server that took all the time', about({ probe: 'out_of_time' }), 'unknown', 'out_of_time'],
  ['a mailbox that is there', about({}), 'valid', 'accepted'],
  ['a domain that takes everything', about({ probe: answer('accepted', true) }), 'catch_all', 'takes_everything'],
  ['a domain that may take everything', about({ probe: answer('accepted') }), 'unknown', 'accepted catch_all_unclear'],
  ['a mailbox that is not there', about({ probe: answer('rejected') }), 'invalid', 'rejected'],
  ['a mailbox that is shut', about({ probe: answer('disabled') }), 'invalid', 'disabled'],
  ['a full mailbox', about({ probe: answer('full') }), 'risky', 'full'],
  ['greylisting', about({ probe: answer('greylisted') }), 'unknown', 'greylisted'],
  ['a server that does not like us', about({ probe: answer('refused_us') }), 'unknown', 'refused_us'],
  ['a busy server', about({ probe: answer('busy') }), 'unknown', 'server_busy'],
  ['a server out of reach', about({ probe: answer('unreachable') }), 'unknown', 'server_unreachable'],
  ['a silent server', about({ probe: answer('timeout') }), 'unknown', 'server_timeout'],
  ['a server that speaks something else', about({ probe: answer('protocol') }), 'unknown', 'server_protocol'],
  ['a function', about({ isRole: true }), 'risky', 'accepted role'],
  ['a role address, without a probe', about({ isRole: true, probe: 'not_asked' }), 'unknown', 'mailbox_not_asked role'],
  ['a function that is not there', about({ isRole: true, probe: answer('rejected') }), 'invalid', 'rejected role'],
  [
    'a function where all is taken',
    about({ isRole: true, probe: answer('accepted', true) }),
    'catch_all',
    'takes_everything role',
  ],
  ['a disposable mailbox', about({ isDisposable: true }), 'risky', 'accepted disposable'],
  [
    'a disposable mailbox, without a probe',
    about({ isDisposable: true, probe: 'not_asked' }),
    'risky',
    'mailbox_not_asked disposable',
  ],
  [
    'a disposable mailbox that is gone',
    about({ isDisposable: true, probe: answer('rejected') }),
    'invalid',
    'rejected disposable',
  ],
  [
    'a disposable domain that is gone',
    about({ isDisposable: true, domain: { kind: 'not_found' } }),
    'invalid',
    'domain_not_found',
  ],
  ['a name beyond ASCII', facts('jürgen@example.com'), 'risky', 'accepted needs_smtputf8'],
  ['a name that needs quotes', facts('"a b"@example.com'), 'risky', 'accepted quoted_local_part'],
  ['quotes that nothing needs', facts('"ada"@example.com'), 'valid', 'accepted'],
];

it.each(ROWS)('%s', (_what, given, result, reasons) => {
  expect(decideVerdict(given)).toEqual({ result, reasons: reasons.split(' ') });
});

it('covers every result and every reason except those about the text, and no unlisted one', () => {
  const seen = new Set<VerificationReason>(ROWS.flatMap(([, given]) => decideVerdict(given).reasons));
  const missing = VERIFICATION_REASONS.slice(VERIFICATION_REASONS.indexOf('numeric_tld')).filter(
    (reason) => !seen.has(reason),
  );
  expect(missing).toEqual([]);
  expect([...seen].filter((reason) => !VERIFICATION_REASONS.includes(reason))).toEqual([]);
  expect(new Set(ROWS.map(([, given]) => decideVerdict(given).result))).toEqual(new Set(VERIFICATION_RESULTS));
});
