import { type DnsPort, type DnsAnswer, type RecordData, type RecordType } from '@adapters/dns';
import { isFailure, toDnsRecords } from '../check';
import { type Address, isWithin, getReverseName } from './spf-address';
import { PTR_NAME_LIMIT, type SpfBudget, type TermCost } from './spf-budget';
import { SpfEvaluationError } from './spf-evaluation.errors';

/** DNS queries of one evaluation, with the rules of SPF for empty and missing answers. */
export class SpfQuestions {
  constructor(
    readonly dns: DnsPort,
    private readonly budget: SpfBudget,
    private readonly client: Address,
  ) {}

  /**
   * Returns the records of a term; an empty result is a void look-up of the term.
   * @throws SpfFault temperror without an answer (RFC 7208, section 5), permerror over the limit
   */
  async records<T extends RecordType>(name: string, type: T, cost: TermCost): Promise<readonly RecordData[T][]> {
    const records = requireAnswer(name, type, await this.dns.query(name, type));
    if (records.length === 0) this.budget.spendVoid(cost);
    return records;
  }

  /**
   * Returns the addresses of the client's family.
   * @param cost null: an empty answer does not count, as for the hosts of an `mx`
   * @throws SpfFault as `records`
   */
  async addresses(name: string, cost: TermCost | null): Promise<readonly string[]> {
    const type = this.client.kind() === 'ipv4' ? 'A' : 'AAAA';
    return cost ? this.records(name, type, cost) : requireAnswer(name, type, await this.dns.query(name, type));
  }

  /**
   * Returns the validated names of the client's address (RFC 7208, section 5.5), from the first ten of its reverse zone. An
   * unanswered query drops its name and is no error.
   * @param cost null: nothing is counted, as for explanations
   */
  async validatedNames(cost: TermCost | null): Promise<readonly string[]> {
    const answer = await this.dns.query(getReverseName(this.client), 'PTR');
    const names = toDnsRecords(answer).slice(0, PTR_NAME_LIMIT);
    if (cost && names.length === 0 && !isFailure(answer)) this.budget.spendVoid(cost);
    const validated: string[] = [];
    for (const name of names) if (await this.#resolvesBack(name)) validated.push(name);
    return validated;
  }

  async #resolvesBack(name: string): Promise<boolean> {
    const [type, bits] = this.client.kind() === 'ipv4' ? (['A', 32] as const) : (['AAAA', 128] as const);
    const addresses = toDnsRecords<string>(await this.dns.query(name, type));
    return addresses.some((address) => isWithin(this.client, address, bits));
  }
}

function requireAnswer<T>(name: string, type: RecordType, answer: DnsAnswer<T>): readonly T[] {
  if (isFailure(answer)) {
    throw new SpfEvaluationError(
      'temperror',
      'dns_no_answer',
      `DNS gave no answer for ${type} of ${name}: ${answer.message}`,
    );
  }
  return toDnsRecords(answer);
}
