import { diagnosticText, type DiagnosticText } from './diagnostic-text';
import { bounceRules } from './rules/bounce-rules';
import { type BounceVerdict, FAULT_OF, type RefusalFault, ruleFor, type TextRule } from './rules/rule';

/** What a server said of one recipient, as far as it is known. */
export interface Diagnostic {
  /** Three digits; read from the text where it is missing. */
  readonly smtpCode?: number | string | null;
  /** RFC 3463, `5.1.1`; read from the text where it is missing. */
  readonly enhanced?: string | null;
  readonly text: string;
}

export interface DiagnosticJudgement {
  readonly verdict: BounceVerdict;
  readonly fault: RefusalFault;
  readonly rule: string;
  /** `words`: somebody said it; `code`: only a number says it; `none`: nothing does, and soft is what does least harm. */
  readonly by: 'words' | 'code' | 'none';
  readonly smtpCode: number | null;
  readonly enhanced: string | null;
}

interface Codes {
  readonly smtpCode: number | null;
  readonly enhanced: string | null;
  /** Whether all that was said is that it may pass. */
  readonly mayPass: boolean;
}

/**
 * Judges what a server answered, at the time of sending or in a report. Words outweigh codes, and words about the sender
 * outweigh words about the recipient: `hard` suppresses an address for good, so it takes words without doubt, or a code that
 * nothing speaks against.
 */
export function classifyDiagnostic(diagnostic: Diagnostic): DiagnosticJudgement {
  const text = diagnosticText(diagnostic.text);
  const codes = codesOf(diagnostic, text.full);
  const said = saidIn(text, codes);
  if (said) return judged(said, 'words', codes);
  const coded = codedBy(codes);
  return coded ? judged(coded, 'code', codes) : judged({ verdict: 'soft', name: 'nothing-said' }, 'none', codes);
}

function judged(
  { verdict, name: rule, fault }: Pick<TextRule, 'verdict' | 'name' | 'fault'>,
  by: DiagnosticJudgement['by'],
  codes: Codes,
): DiagnosticJudgement {
  const { smtpCode, enhanced } = codes;
  const found = { by, smtpCode, enhanced };
  if (verdict === 'hard' && codes.mayPass) {
    return { verdict: 'soft', fault: 'unclear', rule: `${rule}.may-pass`, ...found };
  }
  if (fault !== 'by-code') return { verdict, fault: fault ?? FAULT_OF[verdict], rule, ...found };
  return { verdict, fault: codedBy(codes)?.verdict === 'policy' ? 'sender' : 'unclear', rule, ...found };
}

function saidIn(text: DiagnosticText, codes: Codes): TextRule | undefined {
  const { enhanced, smtpCode } = codes;
  const rules = bounceRules.value;
  const sure = ruleFor(rules.provider, text) ?? ruleFor(rules.sender, text);
  if (sure) return sure;
  const bySender = enhanced !== null && rules.code.senderCode.test(enhanced);
  if (bySender) return undefined;
  const plain = ruleFor(rules.transient, text) ?? ruleFor(rules.recipient, text) ?? ruleFor(rules.local, text);
  if (plain) return plain;
  const hints = isFinal(smtpCode, enhanced)
    ? rules.recipientHints.filter(({ coded }) => !coded || enhanced !== null)
    : [];
  const hint = ruleFor(hints, text);
  return ruleFor(rules.senderHints, text) ?? hint;
}

/** Whether a code says for good, and nothing else than that the recipient is the reason. */
function isFinal(smtpCode: number | null, enhanced: string | null): boolean {
  if (enhanced !== null && (bounceRules.value.code.againstHints.test(enhanced) || enhanced.startsWith('4')))
    return false;
  return enhanced !== null ? true : smtpCode !== null && [550, 551, 553, 554].includes(smtpCode);
}

function codedBy({ smtpCode, enhanced }: Codes) {
  const { codes, replies } = bounceRules.value.code;
  const reply = smtpCode === null ? undefined : replies.find(({ pattern }) => pattern.test(String(smtpCode)));
  return reply ?? (enhanced === null ? undefined : codes.find(({ pattern }) => pattern.test(enhanced)));
}

const ENHANCED = /(?:^|[^\d.])([245]\.[0-7]\.\d{1,3})(?![\d.]*\d)/g;
/** A reply stands at a beginning, or behind what announces it; other numbers are sizes, ports and dates. */
const REPLY =
  /(?:^|smtp;? ?|said:? ?|response:? ?|answer(?:ed)?:? ?|returned:? ?|with:? ?|error:? ?|code:? ?|reply:? ?|reason:? ?|->|: ?|> ?|<<< ?|['"#([] ?|- )([245]\d\d)(?=[\s\-:;#"')\]<]|$)/g;

function codesOf(diagnostic: Diagnostic, full: string): Codes {
  const replies = [...full.slice(0, 2_048).matchAll(REPLY)]
    .map(([, code]) => Number(code))
    .filter((code) => code >= 400);
  const given = Number(diagnostic.smtpCode ?? Number.NaN);
  const smtpCode = given >= 200 && given < 600 ? given : (replies.find((code) => code >= 500) ?? replies[0] ?? null);
  const inText = [...full.slice(0, 2_048).matchAll(ENHANCED)]
    .map(([, code]) => code ?? '')
    .filter((code) => code[0] !== '2');
  const stated = /^[245]\.\d{1,3}\.\d{1,3}/.exec(diagnostic.enhanced?.trim() ?? '')?.[0] ?? null;
  const enhanced = moreTelling(stated, inText);
  const mayPass = smtpCode === null ? (enhanced?.startsWith('4') ?? false) : smtpCode < 500 && smtpCode >= 400;
  return { smtpCode, enhanced, mayPass };
}

/** A report's own status is often `5.0.0` where the server's answer had more to say. */
function moreTelling(stated: string | null, inText: readonly string[]): string | null {
  const [first = null] = inText;
  if (stated === null || (stated.endsWith('.0.0') && first !== null)) return first ?? stated;
  const specific = inText.find((code) => !code.endsWith('.0'));
  if (stated.endsWith('.0') && specific !== undefined) return specific;
  return stated;
}
