import { Resolver } from 'node:dns/promises';
import { type ClockPort } from '@platform/clock';
import { type ServerAddress, parseServerAddress, formatServerAddress } from '../transport/server-address';

/** For so long a server that gave no answer is asked after those that did, in milliseconds. */
const COOLDOWN_MS = 30_000;
/** So many tries in a row without an answer are no slow domain and no lost packet. */
const DEAD_AFTER = 20;
/** How long the machine's own servers are believed to be the same, in milliseconds: networks change under a running process. */
const REREAD_MS = 60_000;

/** The operator's resolvers, best first. */
export class NameServers {
  readonly #silent = new Map<string, { readonly since: number; readonly tries: number }>();
  #machines: { readonly servers: readonly ServerAddress[]; readonly readAt: number } | undefined;
  readonly #configured: readonly ServerAddress[];

  /** @param given as in `DNS_SERVERS`; none: those of the machine */
  constructor(
    given: readonly string[],
    private readonly clock: ClockPort,
    private readonly machine: () => readonly string[] = () => new Resolver().getServers(),
  ) {
    this.#configured = given.map(parseServerAddress);
  }

  /** In the order given, but those that were silent of late come last. */
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

  /** Whether none of them has answered of late, whatever was asked: patience with each question helps nobody then. */
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
