import { type Problem } from '../check';
import { type SpfAuditPosition } from './spf-audit-types';
import { SPF_AUDIT_MESSAGES } from './spf-audit-messages';
import { hasMacro } from './spf-macros';
import { type Directive, type Mechanism, type SpfRecord } from './spf-record';

const MECHANISM_NAMES = /^(all|include|a|mx|ptr|ip4|ip6|exists)$/i;
/** Networks with a shorter prefix are larger than any sender's. The largest of a mail provider is a /14. */
const SMALLEST_PREFIX = { ip4: 12, ip6: 24 } as const;

/** Problems of a record that need no DNS query. */
export function recordProblems(record: SpfRecord, position: SpfAuditPosition): readonly Problem[] {
  const all = record.directives.findIndex(({ mechanism }) => mechanism.kind === 'all');
  const reached = all === -1 ? record.directives : record.directives.slice(0, all + 1);
  return [
    ...checkEnd(record, reached, position),
    ...(reached.length < record.directives.length ? [SPF_AUDIT_MESSAGES.termsAfterAll(position)] : []),
    ...reached.flatMap((directive) => checkDirectives(directive, position)),
    ...listDuplicates(reached).map((text) => SPF_AUDIT_MESSAGES.duplicate(text, position)),
    ...record.unknown.map(({ name, text }) =>
      MECHANISM_NAMES.test(name)
        ? SPF_AUDIT_MESSAGES.mechanismAsModifier(text, position)
        : SPF_AUDIT_MESSAGES.unknownModifier(text, position),
    ),
  ];
}

/** Checks the end of the record, which decides about unnamed hosts. */
function checkEnd(
  { redirect }: SpfRecord,
  reached: readonly Directive[],
  position: SpfAuditPosition,
): readonly Problem[] {
  const last = reached.at(-1);
  if (last?.mechanism.kind !== 'all') return position.decides && !redirect ? [SPF_AUDIT_MESSAGES.noAll(position)] : [];
  const problems = redirect ? [SPF_AUDIT_MESSAGES.redirectIgnored(redirect.text, position)] : [];
  if (last.qualifier === '+' && position.passes)
    return [SPF_AUDIT_MESSAGES.everyonePasses(last.text, position), ...problems];
  if (last.qualifier === '?' && position.decides)
    return [SPF_AUDIT_MESSAGES.neutralAll(last.text, position), ...problems];
  return problems;
}

function checkDirectives({ qualifier, mechanism, text }: Directive, position: SpfAuditPosition): readonly Problem[] {
  const problems: Problem[] = [];
  if (mechanism.kind === 'ptr') problems.push(SPF_AUDIT_MESSAGES.ptr(text, position));
  if ('domain' in mechanism && mechanism.domain && hasMacro(mechanism.domain, 'p')) {
    problems.push(SPF_AUDIT_MESSAGES.validatedName(text, position));
  }
  if (qualifier !== '+' || !position.passes) return problems;
  const wide = getWidest(mechanism);
  if (wide === 'everything') problems.push(SPF_AUDIT_MESSAGES.everyonePasses(text, position));
  if (wide === 'large') problems.push(SPF_AUDIT_MESSAGES.largeNetwork(text, position));
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
  const keys = new Set<string>();
  const twice = new Set<string>();
  for (const { mechanism, text } of directives) {
    if (mechanism.kind === 'all' || 'network' in mechanism) continue;
    const key = text.toLowerCase().replace(/^\+/, '');
    if (keys.has(key)) twice.add(text);
    keys.add(key);
  }
  return [...twice];
}
