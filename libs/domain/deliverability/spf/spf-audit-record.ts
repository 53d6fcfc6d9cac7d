import { type Problem } from '../check';
import { type SpfAuditPosition } from './spf-audit-types';
import { SPF_AUDIT_MESSAGES } from './spf-audit-messages';
import { hasMacro } from './spf-macros';
import { type Directive, type Mechanism, type SpfRecord } from './spf-record';

const MECHANISM_NAMES = /^(all|include|a|mx|ptr|ip4|ip6|exists)$/i;
/** Networks with a shorter prefix are larger than any sender's. The largest of a mail provider is a /14. */
const SMALLEST_PREFIX = { ip4: 12, ip6: 24 } as const;

/** Problems of a record that need no DNS query. */
export function recordProblems(record: SpfRecord, standing: SpfAuditPosition): readonly Problem[] {
  const all = record.directives.findIndex(({ mechanism }) => mechanism.kind === 'all');
  const reached = all === -1 ? record.directives : record.directives.slice(0, all + 1);
  return [
    ...checkEnd(record, reached, standing),
    ...(reached.length < record.directives.length ? [SPF_AUDIT_MESSAGES.termsAfterAll(standing)] : []),
    ...reached.flatMap((directive) => checkDirectives(directive, standing)),
    ...listDuplicates(reached).map((text) => SPF_AUDIT_MESSAGES.duplicate(text, standing)),
    ...record.unknown.map(({ name, text }) =>
      MECHANISM_NAMES.test(name)
        ? SPF_AUDIT_MESSAGES.mechanismAsModifier(text, standing)
        : SPF_AUDIT_MESSAGES.unknownModifier(text, standing),
    ),
  ];
}

/** Checks the end of the record, which decides about unnamed hosts. */
function checkEnd(
  { redirect }: SpfRecord,
  reached: readonly Directive[],
  standing: SpfAuditPosition,
): readonly Problem[] {
  const last = reached.at(-1);
  if (last?.mechanism.kind !== 'all') return standing.decides && !redirect ? [SPF_AUDIT_MESSAGES.noAll(standing)] : [];
  const problems = redirect ? [SPF_AUDIT_MESSAGES.redirectIgnored(redirect.text, standing)] : [];
  if (last.qualifier === '+' && standing.passes)
    return [SPF_AUDIT_MESSAGES.everyonePasses(last.text, standing), ...problems];
  if (last.qualifier === '?' && standing.decides)
    return [SPF_AUDIT_MESSAGES.neutralAll(last.text, standing), ...problems];
  return problems;
}

function checkDirectives({ qualifier, mechanism, text }: Directive, standing: SpfAuditPosition): readonly Problem[] {
  const problems: Problem[] = [];
  if (mechanism.kind === 'ptr') problems.push(SPF_AUDIT_MESSAGES.ptr(text, standing));
  if ('domain' in mechanism && mechanism.domain && hasMacro(mechanism.domain, 'p')) {
    problems.push(SPF_AUDIT_MESSAGES.validatedName(text, standing));
  }
  if (qualifier !== '+' || !standing.passes) return problems;
  const wide = getWidest(mechanism);
  if (wide === 'everything') problems.push(SPF_AUDIT_MESSAGES.everyonePasses(text, standing));
  if (wide === 'large') problems.push(SPF_AUDIT_MESSAGES.largeNetwork(text, standing));
  return problems;
}

/** Share of the address space that a mechanism may match. */
function getWidest(mechanism: Mechanism): 'everything' | 'large' | 'usual' {
  const prefixes = listPrefixes(mechanism);
  if (prefixes.ip4 === 0 || prefixes.ip6 === 0) return 'everything';
  return prefixes.ip4 < SMALLEST_PREFIX.ip4 || prefixes.ip6 < SMALLEST_PREFIX.ip6 ? 'large' : 'usual';
}

function listPrefixes(mechanism: Mechanism): { readonly ip4: number; readonly ip6: number } {
  if (mechanism.kind === 'ip4') return { ip4: mechanism.prefix, ip6: 128 };
  if (mechanism.kind === 'ip6') return { ip4: 32, ip6: mechanism.prefix };
  return 'prefixes' in mechanism ? mechanism.prefixes : { ip4: 32, ip6: 128 };
}

/** Terms that repeat a look-up. */
function listDuplicates(directives: readonly Directive[]): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { mechanism, text } of directives) {
    if (mechanism.kind === 'all' || 'network' in mechanism) continue;
    const key = text.toLowerCase().replace(/^\+/, '');
    if (seen.has(key)) twice.add(text);
    seen.add(key);
  }
  return [...twice];
}
