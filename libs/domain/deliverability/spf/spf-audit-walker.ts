import { type DnsPort } from '@adapters/dns';
import { isFailure, type Problem, toDnsRecords } from '../check';
import { SPF_AUDIT_MESSAGES } from './spf-audit-messages';
import { recordProblems } from './spf-audit-record';
import { type SpfAuditPosition, type TermLookups } from './spf-audit-types';
import { MX_HOST_LIMIT } from './spf-budget';
import { type DomainSpec } from './spf-domain-spec';
import { expandName, type MacroString, hasMacro } from './spf-macros';
import { checkableDomain, getTargetName } from './spf-name';
import { getPolicy } from './spf-policy';
import { type Directive, type Mechanism, type SpfRecord } from './spf-record';

type OpenTerm = { -readonly [K in keyof TermLookups]: TermLookups[K] };
type Asking = Exclude<Mechanism, { kind: 'all' } | { kind: 'ip4' | 'ip6' }>;

/** A record with its position in the tree. */
interface Place extends SpfAuditPosition {
  readonly depth: number;
  /** The domain itself and its ancestors in the tree. */
  readonly path: readonly string[];
}

/** Look-ups after which the walk ends; the record is far too expensive then. */
const MOST_LOOKUPS = 50;
/** Macros that depend on the message. The current domain (`d`) and the sender's (`o`) do not. */
const OF_THE_MESSAGE = 'slipvhcrt';

/** Walks all terms of a record and of those that it leads to, like an evaluation without a match. */
export class SpfAuditWalker {
  readonly terms: OpenTerm[] = [];
  readonly problems: Problem[] = [];
  used = 0;
  voids = 0;
  /** A query got no answer. */
  unanswered = false;
  /** More than 50 terms needed a look-up. */
  incomplete = false;

  constructor(
    private readonly dns: DnsPort,
    /** The audited domain. */
    private readonly domain: string,
  ) {}

  async walk(record: SpfRecord): Promise<void> {
    await this.#record(record, {
      domain: this.domain,
      audited: this.domain,
      depth: 0,
      path: [this.domain.toLowerCase()],
      decides: true,
      passes: true,
    });
  }

  async #record(record: SpfRecord, place: Place): Promise<void> {
    this.problems.push(...recordProblems(record, place));
    for (const directive of record.directives) {
      const { mechanism } = directive;
      if (mechanism.kind === 'all') return;
      if (!('network' in mechanism)) await this.#walkTerm(directive, mechanism, place);
    }
    if (!record.redirect) return;
    const { domain, text } = record.redirect;
    await this.#counted(text, domain, place, (name) =>
      this.#followInclude(text, name, place, { ...place, depth: place.depth + 1 }),
    );
  }

  async #walkTerm({ qualifier, text }: Directive, mechanism: Asking, place: Place): Promise<void> {
    await this.#counted(text, mechanism.domain, place, (name) => {
      switch (mechanism.kind) {
        case 'include': {
          const passes = place.passes && qualifier === '+';
          return this.#followInclude(text, name, place, { ...place, depth: place.depth + 1, decides: false, passes });
        }
        case 'a':
          return this.#addresses(text, name, place);
        case 'mx':
          return this.#walkMx(text, name, place);
        case 'exists':
          return this.#walkExists(text, name, place);
        case 'ptr':
          // The queried name depends on the client.
          return Promise.resolve();
      }
    });
  }

  /** Counts a term, and follows it where that is possible without a message. */
  async #counted(
    text: string,
    spec: DomainSpec | null,
    place: Place,
    visit: (name: string) => Promise<void>,
  ): Promise<void> {
    if (this.used >= MOST_LOOKUPS) {
      this.incomplete = true;
      return;
    }
    const before = this.used;
    const term = { term: text, domain: place.domain, depth: place.depth, lookups: 0 };
    this.terms.push(term);
    this.used += spec && hasMacro(spec, 'p') ? 2 : 1;
    if (spec && hasMacro(spec, OF_THE_MESSAGE)) this.problems.push(SPF_AUDIT_MESSAGES.dependsOnMessage(text, place));
    else await this.#walkNamed(text, spec, place, visit);
    term.lookups = this.used - before;
  }

  async #walkNamed(
    text: string,
    spec: DomainSpec | null,
    place: Place,
    visit: (name: string) => Promise<void>,
  ): Promise<void> {
    const name = spec ? this.#resolveName(spec, place) : place.domain;
    if (name !== null) await visit(name);
    else this.problems.push(SPF_AUDIT_MESSAGES.impossibleName(text, place));
  }

  #resolveName(spec: MacroString, place: Place): string | null {
    return getTargetName(expandName(spec, (macro) => (macro === 'o' ? this.domain : place.domain)));
  }

  /** Follows an include or a redirect to another record. */
  async #followInclude(text: string, name: string, from: Place, to: Place): Promise<void> {
    const domain = checkableDomain(name);
    if (domain === null) {
      this.problems.push(SPF_AUDIT_MESSAGES.leadsNowhere(text, from));
      return;
    }
    const key = domain.toLowerCase();
    if (from.path.includes(key)) {
      this.problems.push(SPF_AUDIT_MESSAGES.loop(text, from, [...from.path, key]));
      return;
    }
    const policy = await getPolicy(this.dns, domain);
    switch (policy.kind) {
      case 'record':
        return this.#record(policy.record, { ...to, domain, path: [...from.path, key] });
      case 'unanswered':
        this.#open(SPF_AUDIT_MESSAGES.unanswered(domain, policy.failure));
        return;
      case 'none':
        this.problems.push(SPF_AUDIT_MESSAGES.leadsNowhere(text, from));
        return;
      case 'multiple':
        this.problems.push(SPF_AUDIT_MESSAGES.multipleRecords(domain, policy.texts.length, text));
        return;
      case 'syntax':
        this.problems.push(
          ...policy.errors.slice(0, 1).map((error) => SPF_AUDIT_MESSAGES.syntaxError(domain, error, text)),
        );
    }
  }

  /** Queries one family only: the family of a real evaluation depends on the client. */
  async #addresses(text: string, name: string, place: Place): Promise<void> {
    for (const type of ['A', 'AAAA'] as const) {
      const answer = await this.dns.query(name, type);
      if (isFailure(answer)) return this.#open(SPF_AUDIT_MESSAGES.unanswered(name, answer));
      if (toDnsRecords<string>(answer).length > 0) return;
    }
    this.#countVoid(text, name, place);
  }

  async #walkMx(text: string, name: string, place: Place): Promise<void> {
    const answer = await this.dns.query(name, 'MX');
    if (isFailure(answer)) return this.#open(SPF_AUDIT_MESSAGES.unanswered(name, answer));
    const hosts = toDnsRecords(answer).length;
    if (hosts === 0) this.#countVoid(text, name, place);
    if (hosts > MX_HOST_LIMIT) this.problems.push(SPF_AUDIT_MESSAGES.tooManyMxHosts(text, name, hosts));
  }

  async #walkExists(text: string, name: string, place: Place): Promise<void> {
    const answer = await this.dns.query(name, 'A');
    if (isFailure(answer)) return this.#open(SPF_AUDIT_MESSAGES.unanswered(name, answer));
    if (toDnsRecords(answer).length === 0) this.#countVoid(text, name, place);
  }

  #countVoid(text: string, name: string, place: Place): void {
    this.voids += 1;
    this.problems.push(SPF_AUDIT_MESSAGES.voidLookup(text, name, place));
  }

  #open(problem: Problem): void {
    this.unanswered = true;
    this.problems.push(problem);
  }
}
