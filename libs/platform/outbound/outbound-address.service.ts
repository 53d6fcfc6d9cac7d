import { Injectable } from '@nestjs/common';
import { isAllowed, parseAddress, type CanonicalAddress, type OpenNetworks } from './address-policy';
import { dnsLookup, isNoSuchName, systemLookup, type HostLookup } from './dns-lookup';
import { OutboundError } from './outbound.errors';

export interface AddressGuardOptions {
  /** Allows private, loopback, unique local and CGNAT networks, all or those listed; see `isAllowed`. */
  readonly allowPrivate: OpenNetworks;
  /** DNS servers as `host:port`, for lookups over DNS only; none: those of the machine. */
  readonly dnsServers?: readonly string[];
  /** Replaces DNS. Default: plain DNS, or the system's resolver when any private network is allowed. */
  readonly lookup?: HostLookup;
}

/** An address that was checked, in the shape that `net.connect` takes from a lookup. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Decides which addresses connections to user-supplied hosts may use. Every protocol connects to the addresses that `resolve`
 * returned and never to the name: a second lookup could return other ones (DNS rebinding).
 */
@Injectable()
export class OutboundAddressService {
  readonly #allowPrivate: OpenNetworks;
  readonly #lookup: HostLookup;

  constructor(options: AddressGuardOptions) {
    this.#allowPrivate = options.allowPrivate;
    this.#lookup = options.lookup ?? (options.allowPrivate === false ? dnsLookup(options.dnsServers) : systemLookup);
  }

  /**
   * Returns the checked addresses of a host in order of preference, at least one. A host with any forbidden address is refused,
   * because a regular public host has none.
   * @param host a name or an IP address in any notation, with or without brackets around IPv6
   * @throws OutboundError `address_refused` or `dns` (`retry` unless there is no such name).
   */
  async resolve(host: string): Promise<readonly CheckedAddress[]> {
    const literal = parseAddress(host);
    if (literal !== null) return [this.check(host, literal)];
    const answers = await this.resolveName(host);
    return answers.map((answer) => this.check(host, parseAddress(answer)));
  }

  /**
   * Refuses a host that is a forbidden IP address; names pass without a lookup.
   * @throws OutboundError `address_refused`.
   */
  refuseLiteral(host: string): void {
    const literal = parseAddress(host);
    if (literal !== null) this.check(host, literal);
  }

  private check(host: string, found: CanonicalAddress | null): CheckedAddress {
    if (found !== null && isAllowed(found, this.#allowPrivate)) return { address: found.address, family: found.family };
    const range = found?.range ?? 'unreadable';
    throw new OutboundError('address_refused', `${host} resolves to an address that is not allowed (${range})`);
  }

  private async resolveName(host: string): Promise<readonly string[]> {
    let answers: readonly string[];
    try {
      answers = await this.#lookup(host);
    } catch (cause) {
      const missing = isNoSuchName(cause);
      const message = missing ? `${host} has no address in DNS` : `${host} could not be looked up`;
      throw new OutboundError('dns', message, { retry: !missing, cause });
    }
    if (answers.length === 0) throw new OutboundError('dns', `${host} has no address in DNS`);
    return answers;
  }
}
