import { ZoneDnsDriver, type ZoneTable } from '../../../../adapters/dns/testing';
import { checkHost, type SpfCheck, type SpfResult } from '../spf-check';

/** One rule of RFC 7208. By default, 192.0.2.1 sends for user@example.com and greets as mail.example.com. */
export interface SpfCase {
  /** A sentence about the behaviour. */
  readonly promise: string;
  /** TXT of example.com. */
  readonly spf?: string | readonly string[];
  readonly zone?: ZoneTable;
  readonly ip?: string;
  readonly from?: string;
  readonly helo?: string;
  readonly result: SpfResult;
  readonly mechanism?: string | null;
  readonly explanation?: string | null;
  readonly problem?: string;
  /** The different result of the library `mailauth` in its strict mode. */
  readonly mailauth?: SpfResult;
}

export interface SpfSection {
  /** Section of RFC 7208 and its heading. */
  readonly section: string;
  readonly cases: readonly SpfCase[];
}

/** The zone of a case: its own, with the record of example.com. */
export function getZone({ spf, zone = {} }: SpfCase): ZoneTable {
  if (spf === undefined) return zone;
  const own = zone['example.com'];
  return { ...zone, 'example.com': { ...(typeof own === 'object' ? own : {}), TXT: [spf].flat() } };
}

export function askedBy({ ip = '192.0.2.1', from = 'user@example.com', helo = 'mail.example.com' }: SpfCase) {
  return { ip, sender: from, helo };
}

/** Evaluates a case in its zone. */
export async function classifyMessage(given: SpfCase): Promise<SpfCheck> {
  return checkHost(new ZoneDnsDriver(getZone(given)), { ...askedBy(given), receiver: 'receiver.example.org' });
}

/** The expected fields that a case sets. */
export function getExpectation({ result, mechanism, explanation, problem }: SpfCase): object {
  return {
    result,
    ...(mechanism === undefined ? {} : { mechanism }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(problem === undefined ? {} : { problem: expect.objectContaining({ code: problem }) as unknown }),
  };
}
