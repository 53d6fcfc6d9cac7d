import { type MacroString } from '../spf-macros';
import { type Directive, type Mechanism, type SpfRecord, VERSION } from '../spf-record';

/** A record in its canonical form: lower case, defaults omitted, mechanisms before modifiers. */
export function printSpf({ directives, redirect, exp, unknown }: SpfRecord): string {
  return [
    VERSION,
    ...directives.map(printDirective),
    ...(redirect ? [`redirect=${printMacros(redirect.domain)}`] : []),
    ...(exp ? [`exp=${printMacros(exp.domain)}`] : []),
    ...unknown.map(({ name, value }) => `${name}=${printMacros(value)}`),
  ].join(' ');
}

function printDirective({ qualifier, mechanism }: Directive): string {
  return `${qualifier === '+' ? '' : qualifier}${printMechanism(mechanism)}`;
}

function printMechanism(mechanism: Mechanism): string {
  if (mechanism.kind === 'all') return 'all';
  if ('network' in mechanism) {
    const { kind, network, prefix } = mechanism;
    return `${kind}:${network}${prefix === (kind === 'ip4' ? 32 : 128) ? '' : `/${prefix}`}`;
  }
  const domain = mechanism.domain ? `:${printMacros(mechanism.domain)}` : '';
  if (!('prefixes' in mechanism)) return `${mechanism.kind}${domain}`;
  const { ip4, ip6 } = mechanism.prefixes;
  return `${mechanism.kind}${domain}${ip4 === 32 ? '' : `/${ip4}`}${ip6 === 128 ? '' : `//${ip6}`}`;
}

/** The shortest equivalent text. */
export function printMacros(parts: MacroString): string {
  return parts.map(printPart).join('');
}

function printPart(part: MacroString[number]): string {
  if (part.kind === 'literal') return part.text;
  if (part.kind === 'escape') return `%${part.sign}`;
  const letter = part.escaped ? part.letter.toUpperCase() : part.letter;
  return `%{${letter}${part.keep ?? ''}${part.reversed ? 'r' : ''}${part.delimiters}}`;
}
