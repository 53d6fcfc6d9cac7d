import { type Address, toDotted, isWithin, readable, getReverseZone } from './spf-address';
import { MX_HOST_LIMIT, type SpfBudget, type TermCost } from './spf-budget';
import { type DomainSpec } from './spf-domain-spec';
import { SpfEvaluationError, type SpfProblem, type SpfProblemCode } from './spf-evaluation.errors';
import { type SpfIdentity } from './spf-identity';
import { expandName, expandText, type MacroString, type MacroValues, hasMacro, parseMacros } from './spf-macros';
import { checkableDomain, isAtOrBelow, getTargetName } from './spf-name';
import { getPolicy, type SpfPolicy } from './spf-policy';
import { type SpfQuestions } from './spf-questions';
import { type Directive, type Mechanism, type Prefixes, type Qualifier, type SpfRecord } from './spf-record';
import { quoteForDisplay, escapeForDisplay } from './spf-formatter';
import { SpfSyntaxError } from './spf-syntax.errors';

/** An evaluated term. */
export interface SpfStep extends Readonly<TermCost> {
  /** 0 for the record of the checked domain; one more for each include and redirect. */
  readonly depth: number;
  /** Domain of the record with this term. */
  readonly domain: string;
  /** As written. */
  readonly term: string;
  /** `error`: it ended the evaluation. */
  readonly outcome: 'match' | 'no_match' | 'error';
}

/** Result of `check_host()` for one domain; errors are thrown as faults. */
export interface Verdict {
  readonly result: 'none' | 'neutral' | 'pass' | 'fail' | 'softfail';
  /** The matching directive. */
  readonly directive: Directive | null;
  readonly problem: SpfProblem | null;
  /** Domain of the deciding record, whose `exp` applies. */
  readonly decided: Scene | null;
}

/** Sender and checking host, as macros need them. */
export interface SpfSubject extends SpfIdentity {
  readonly client: Address;
  /** `%{r}` */
  readonly receiver: string;
  /** `%{t}` */
  readonly now: Date | null;
}

/** The record under evaluation, and its position. */
interface Scene {
  readonly domain: string;
  readonly depth: number;
  readonly record: SpfRecord;
}

type OpenStep = { -readonly [K in keyof SpfStep]: SpfStep[K] };

const RESULTS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const satisfies Record<
  Qualifier,
  string
>;
/** Stored characters of an explanation, which must fit an SMTP reply (RFC 7208, section 6.2). */
const EXPLANATION_LENGTH = 1_000;

/** One evaluation of `check_host()` (RFC 7208, section 4), with all its includes and redirects. */
export class SpfEvaluation {
  readonly steps: OpenStep[] = [];

  constructor(
    private readonly questions: SpfQuestions,
    private readonly budget: SpfBudget,
    private readonly subject: SpfSubject,
  ) {}

  /** @throws SpfFault */
  async evaluate(name: string, depth: number): Promise<Verdict> {
    const domain = checkableDomain(name);
    if (domain === null)
      return createNone('malformed_domain', `${quoteForDisplay(name)} is no domain that can have an SPF record`);
    const policy = await getPolicy(this.questions.dns, domain);
    const record = findRecord(domain, policy);
    if (!record) return createNone('no_record', `${domain} has no SPF record`);
    const scene = { domain, depth, record };
    for (const directive of record.directives) {
      if (await this.#matches(directive, scene)) {
        return { result: RESULTS[directive.qualifier], directive, problem: null, decided: scene };
      }
    }
    if (record.redirect) return this.#followRedirect(record.redirect.domain, record.redirect.text, scene);
    return { result: 'neutral', directive: null, problem: null, decided: scene };
  }

  /**
   * Returns the explanation of the record that resulted in "fail" (RFC 7208, section 6.2). It does not count for the limits.
   * @returns null without one, and after any error
   */
  async explain({ decided }: Verdict): Promise<string | null> {
    if (!decided?.record.exp) return null;
    const name = await this.#getTarget(decided.record.exp.domain, decided, null);
    if (name === null) return null;
    const answer = await this.questions.dns.query(name, 'TXT');
    const [text, ...others] = answer.kind === 'records' ? answer.records : [];
    if (text === undefined || others.length > 0) return null;
    try {
      return await this.#getExplanation(parseMacros(text, 'explanation'), decided);
    } catch (error) {
      if (error instanceof SpfSyntaxError) return null;
      throw error;
    }
  }

  async #matches({ mechanism, text }: Directive, scene: Scene): Promise<boolean> {
    const step = this.#descend(text, scene);
    const matched = await this.#hasRecord(mechanism, scene, step);
    step.outcome = matched ? 'match' : 'no_match';
    return matched;
  }

  /** RFC 7208, section 6.1. An `all` would already have matched. */
  async #followRedirect(spec: DomainSpec, text: string, scene: Scene): Promise<Verdict> {
    const step = this.#descend(text, scene);
    this.budget.spendLookup(step);
    const name = await this.#getTarget(spec, scene, step);
    const verdict = name === null ? null : await this.evaluate(name, scene.depth + 1);
    if (verdict === null || verdict.result === 'none') {
      const message = `${quoteForDisplay(text)} of ${scene.domain} leads to no SPF record`;
      throw new SpfEvaluationError('permerror', 'redirect_without_record', message);
    }
    step.outcome = 'match';
    return verdict;
  }

  async #hasRecord(mechanism: Mechanism, scene: Scene, step: OpenStep): Promise<boolean> {
    if (mechanism.kind === 'all') return true;
    if ('network' in mechanism) {
      return isWithin(this.subject.client, mechanism.network, mechanism.prefix);
    }
    this.budget.spendLookup(step);
    const name = mechanism.domain ? await this.#getTarget(mechanism.domain, scene, step) : scene.domain;
    switch (mechanism.kind) {
      case 'include':
        return this.#evaluateInclude(name, scene, step);
      case 'a':
        return name !== null && this.#isOneOf(await this.questions.addresses(name, step), mechanism.prefixes);
      case 'mx':
        return name !== null && this.#isMxHost(name, mechanism.prefixes, step);
      case 'exists':
        return name !== null && (await this.questions.records(name, 'A', step)).length > 0;
      case 'ptr':
        return name !== null && (await this.questions.validatedNames(step)).some((each) => isAtOrBelow(each, name));
    }
  }

  /** The table of RFC 7208, section 5.2; errors pass through as they are. */
  async #evaluateInclude(name: string | null, scene: Scene, step: OpenStep): Promise<boolean> {
    const result = name === null ? 'none' : (await this.evaluate(name, scene.depth + 1)).result;
    if (result === 'none') {
      const message = `${quoteForDisplay(step.term)} of ${scene.domain} names a domain without an SPF record`;
      throw new SpfEvaluationError('permerror', 'include_without_record', message);
    }
    return result === 'pass';
  }

  async #isMxHost(name: string, prefixes: Prefixes, step: OpenStep): Promise<boolean> {
    const records = await this.questions.records(name, 'MX', step);
    if (records.length > MX_HOST_LIMIT) {
      throw new SpfEvaluationError('permerror', 'too_many_mx_hosts', `${name} has more than ${MX_HOST_LIMIT} MX hosts`);
    }
    for (const { exchange } of records) {
      // A null MX (RFC 7505) is '', which has no addresses.
      if (this.#isOneOf(await this.questions.addresses(exchange, null), prefixes)) return true;
    }
    return false;
  }

  #isOneOf(addresses: readonly string[], { ip4, ip6 }: Prefixes): boolean {
    const { client } = this.subject;
    return addresses.some((address) => isWithin(client, address, client.kind() === 'ipv4' ? ip4 : ip6));
  }

  /**
   * Returns the name of a domain-spec (RFC 7208, section 4.8).
   * @param step null: nothing is counted
   * @returns null for an invalid name, also for a local part that no name can contain (RFC 8616, section 4)
   */
  async #getTarget(spec: DomainSpec, scene: Scene, step: OpenStep | null): Promise<string | null> {
    if (hasMacro(spec, 'sl') && !isAscii(this.subject.localPart)) return null;
    return getTargetName(expandName(spec, await this.#getMacroValues(spec, scene, step)));
  }

  async #getExplanation(parts: MacroString, scene: Scene): Promise<string | null> {
    const text = expandText(parts, await this.#getMacroValues(parts, scene, null), EXPLANATION_LENGTH);
    // Removes characters of the sender that could end or break an SMTP reply.
    return /^[\x20-\x7e]+$/.test(text) ? text : null;
  }

  async #getMacroValues(parts: MacroString, scene: Scene, step: OpenStep | null): Promise<MacroValues> {
    const { sender, localPart, domain, helo, client, receiver, now } = this.subject;
    const validated = hasMacro(parts, 'p') ? await this.#validatedName(scene.domain, step) : 'unknown';
    const values = {
      s: sender,
      l: localPart,
      o: domain,
      d: scene.domain,
      i: toDotted(client),
      p: validated,
      v: getReverseZone(client),
      h: helo,
      c: readable(client),
      r: receiver,
      t: now ? String(Math.floor(now.getTime() / 1_000)) : 'unknown',
    };
    return (macro) => values[macro];
  }

  /** `%{p}`: the domain itself, else a name below it, else any validated name (RFC 7208, section 7.3). */
  async #validatedName(domain: string, step: OpenStep | null): Promise<string> {
    if (step) this.budget.spendLookup(step);
    const names = await this.questions.validatedNames(step);
    const same = names.find((name) => isAtOrBelow(name, domain) && isAtOrBelow(domain, name));
    return same ?? names.find((name) => isAtOrBelow(name, domain)) ?? names[0] ?? 'unknown';
  }

  #descend(term: string, { domain, depth }: Scene): OpenStep {
    const step: OpenStep = { depth, domain, term, lookups: 0, void: false, outcome: 'error' };
    this.steps.push(step);
    return step;
  }
}

function createNone(code: SpfProblemCode, message: string): Verdict {
  return { result: 'none', directive: null, problem: { code, message }, decided: null };
}

/** @throws SpfFault for what ends the evaluation (RFC 7208, sections 4.4 to 4.6) */
function findRecord(domain: string, policy: SpfPolicy): SpfRecord | null {
  switch (policy.kind) {
    case 'record':
      return policy.record;
    case 'none':
      return null;
    case 'multiple':
      throw new SpfEvaluationError('permerror', 'multiple_records', `${domain} has ${policy.texts.length} SPF records`);
    case 'syntax': {
      const [first] = policy.errors;
      throw new SpfEvaluationError(
        'permerror',
        'syntax_error',
        `${quoteForDisplay(first?.term ?? '')} of ${domain} ${escapeForDisplay(first?.message ?? '', 250)}`,
      );
    }
    case 'unanswered':
      throw new SpfEvaluationError(
        'temperror',
        'dns_no_answer',
        `DNS gave no answer for ${domain}: ${policy.failure.message}`,
      );
  }
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
