import { toDiagnosticText, type DiagnosticText } from './diagnostic-text';
import { bounceRules } from './rules/bounce-rules';
import { type BounceVerdict, FAULT_BY_VERDICT, type RefusalFault, findRule, type TextRule } from './rules/rule';

/** A server's answer about one recipient. */
export interface Diagnostic {
  /** Three digits; taken from the text when missing. */
  readonly smtpCode?: number | string | null;
  /** RFC 3463, `5.1.1`; taken from the text when missing. */
  readonly enhanced?: string | null;
  readonly text: string;
}

export interface DiagnosticClassification {
  readonly verdict: BounceVerdict;
  readonly fault: RefusalFault;
  readonly rule: string;
  /** The evidence: text, only a code, or none; without evidence the verdict is soft, which does least harm. */
  readonly by: 'words' | 'code' | 'none';
  readonly smtpCode: number | null;
  readonly enhanced: string | null;
}

interface Codes {
  readonly smtpCode: number | null;
  readonly enhanced: string | null;
  /** Whether the codes are transient. */
  readonly isTransient: boolean;
}

/**
 * Classifies a server's answer, given during sending or in a report. Text outweighs codes, and text about the sender outweighs
 * text about the recipient. `hard` suppresses the address permanently, so it requires unambiguous text or an uncontradicted
 * code.
 */
export function classifyDiagnostic(diagnostic: Diagnostic): DiagnosticClassification {
  const text = toDiagnosticText(diagnostic.text);
  const codes = parseCodes(diagnostic, text.full);
  const textRule = findTextRule(text, codes);
  if (textRule) return toClassification(textRule, 'words', codes);
  const codeRule = findCodeRule(codes);
  return codeRule
    ? toClassification(codeRule, 'code', codes)
    : toClassification({ verdict: 'soft', name: 'nothing-said' }, 'none', codes);
}

function toClassification(
  { verdict, name: rule, fault }: Pick<TextRule, 'verdict' | 'name' | 'fault'>,
  by: DiagnosticClassification['by'],
  codes: Codes,
): DiagnosticClassification {
  const { smtpCode, enhanced } = codes;
  const found = { by, smtpCode, enhanced };
  if (verdict === 'hard' && codes.isTransient) {
    return { verdict: 'soft', fault: 'unclear', rule: `${rule}.may-pass`, ...found };
  }
  if (fault !== 'by-code') return { verdict, fault: fault ?? FAULT_BY_VERDICT[verdict], rule, ...found };
  return { verdict, fault: findCodeRule(codes)?.verdict === 'policy' ? 'sender' : 'unclear', rule, ...found };
}

function findTextRule(text: DiagnosticText, codes: Codes): TextRule | undefined {
  const { enhanced, smtpCode } = codes;
  const rules = bounceRules.value;
  const decisive = findRule(rules.provider, text) ?? findRule(rules.sender, text);
  if (decisive) return decisive;
  const bySender = enhanced !== null && rules.code.senderCode.test(enhanced);
  if (bySender) return undefined;
  const plain = findRule(rules.transient, text) ?? findRule(rules.recipient, text) ?? findRule(rules.local, text);
  if (plain) return plain;
  const hints = isFinal(smtpCode, enhanced)
    ? rules.recipientHints.filter(({ coded }) => !coded || enhanced !== null)
    : [];
  const hint = findRule(hints, text);
  return findRule(rules.senderHints, text) ?? hint;
}

/** Whether the codes are permanent and do not exclude the recipient as the cause. */
function isFinal(smtpCode: number | null, enhanced: string | null): boolean {
  if (enhanced !== null && (bounceRules.value.code.againstHints.test(enhanced) || enhanced.startsWith('4')))
    return false;
  return enhanced !== null ? true : smtpCode !== null && [550, 551, 553, 554].includes(smtpCode);
}

function findCodeRule({ smtpCode, enhanced }: Codes) {
  const { codes, replies } = bounceRules.value.code;
  const reply = smtpCode === null ? undefined : replies.find(({ pattern }) => pattern.test(String(smtpCode)));
  return reply ?? (enhanced === null ? undefined : codes.find(({ pattern }) => pattern.test(enhanced)));
}

const ENHANCED = /(?:^|[^\d.])([245]\.[0-7]\.\d{1,3})(?![\d.]*\d)/g;
/** A reply code stands at the beginning or after an announcing phrase; other numbers are sizes, ports and dates. */
const REPLY =
  /(?:^|smtp;? ?|said:? ?|response:? ?|answer(?:ed)?:? ?|returned:? ?|with:? ?|error:? ?|code:? ?|reply:? ?|reason:? ?|->|: ?|> ?|<<< ?|['"#([] ?|- )([245]\d\d)(?=[\s\-:;#"')\]<]|$)/g;

function parseCodes(diagnostic: Diagnostic, full: string): Codes {
  const replies = [...full.slice(0, 2_048).matchAll(REPLY)]
    .map(([, code]) => Number(code))
    .filter((code) => code >= 400);
  const stated = Number(diagnostic.smtpCode ?? Number.NaN);
  const smtpCode = stated >= 200 && stated < 600 ? stated : (replies.find((code) => code >= 500) ?? replies[0] ?? null);
  const inText = [...full.slice(0, 2_048).matchAll(ENHANCED)]
    .map(([, code]) => code ?? '')
    .filter((code) => code[0] !== '2');
  const statedStatus = /^[245]\.\d{1,3}\.\d{1,3}/.exec(diagnostic.enhanced?.trim() ?? '')?.[0] ?? null;
  const enhanced = getMostSpecific(statedStatus, inText);
  const isTransient = smtpCode === null ? (enhanced?.startsWith('4') ?? false) : smtpCode < 500 && smtpCode >= 400;
  return { smtpCode, enhanced, isTransient };
}

/** A report's own status is often `5.0.0` where the server's answer has a specific code. */
function getMostSpecific(stated: string | null, inText: readonly string[]): string | null {
  const [first = null] = inText;
  if (stated === null || (stated.endsWith('.0.0') && first !== null)) return first ?? stated;
  const specific = inText.find((code) => !code.endsWith('.0'));
  if (stated.endsWith('.0') && specific !== undefined) return specific;
  return stated;
}
