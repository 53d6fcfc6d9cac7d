import { Resolver } from 'node:dns/promises';
import { type ClockPort } from '@platform/clock';
import { type ServerAddress, parseServerAddress, formatServerAddress } from '../transport/server-address';

/** Milliseconds for which a server without an answer is queried after the others. */
const COOLDOWN_MS = 30_000;
/** Number of consecutive tries without an answer after which a server counts as dead. */
const DEAD_AFTER = 20;
/** Milliseconds after which the servers of the machine are read again, because its network may change. */
const REREAD_MS = 60_000;

/** The operator's resolvers, best first. */
export class NameServers {
  readonly #silent = new Map<string, { readonly since: number; readonly tries: number }>();
  #machines: { readonly servers: readonly ServerAddress[]; readonly readAt: number } | undefined;
  readonly #configured: readonly ServerAddress[];

  /** @param addresses in the form of `DNS_SERVERS`; none: the servers of the machine */
  constructor(
    addresses: readonly string[],
    private readonly clock: ClockPort,
    private readonly machine: () => readonly string[] = () => new Resolver().getServers(),
  ) {
    this.#configured = addresses.map(parseServerAddress);
  }

  /** In configured order, with recently silent servers last. */
  inOrder(): readonly ServerAddress[] {
    const servers = this.#configured.length > 0 ? this.#configured : this.#readSystemServers();
    const [well, silent]: ServerAddress[][] = [[], []];
    for (const server of servers) (this.#isCoolingDown(server) ? silent : well)?.push(server);
    return [...(well ?? []), ...(silent ?? [])];
  }

  answered(server: ServerAddress): void {
    this.#silent.delete(formatServerAddress(server));
  }

  wasSilent(server: ServerAddress): void {
    const tries = (this.#silent.get(formatServerAddress(server))?.tries ?? 0) + 1;
    this.#silent.set(formatServerAddress(server), { since: this.#now(), tries });
  }

  /** Whether no server has answered any recent query: then long timeouts do not help. */
  get seemDead(): boolean {
    return this.inOrder().every(
      (server) =>
        this.#isCoolingDown(server) && (this.#silent.get(formatServerAddress(server))?.tries ?? 0) >= DEAD_AFTER,
    );
  }

  #isCoolingDown(server: ServerAddress): boolean {
    const silent = this.#silent.get(formatServerAddress(server));
    return silent !== undefined && this.#now() - silent.since < COOLDOWN_MS;
  }

  #readSystemServers(): readonly ServerAddress[] {
    const known = this.#machines;
    if (known && this.#now() - known.readAt < REREAD_MS) return known.servers;
    const servers = this.machine().map(parseServerAddress);
    this.#machines = { servers, readAt: this.#now() };
    return servers;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
