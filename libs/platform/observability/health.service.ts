import { Injectable } from '@nestjs/common';

/** A dependency of the process. */
export interface HealthCheck {
  name: string;
  /** A process without an essential dependency is not ready; without another one it is degraded. */
  essential: boolean;
  /** Resolves with facts for the report, rejects when the dependency is unavailable. */
  check: () => Promise<Record<string, unknown>>;
}

export interface HealthReport {
  status: 'ready' | 'degraded' | 'unavailable';
  versions: { app: string; node: string; timeZoneData: string };
  checks: Record<string, { status: 'up' | 'down'; [fact: string]: unknown }>;
}

/** Timeout of a check in milliseconds, after which it counts as down. */
const CHECK_TIMEOUT_MS = 1_500;

/** Reports whether this process is ready. */
@Injectable()
export class HealthService {
  readonly #checks: HealthCheck[] = [];
  #stopping = false;

  constructor(private readonly appVersion: string) {}

  register(check: HealthCheck): void {
    this.#checks.push(check);
  }

  /** Makes the process report that it is not ready, so that load balancers send no new requests while it stops. */
  stopping(): void {
    this.#stopping = true;
  }

  async report(): Promise<HealthReport> {
    const results = await Promise.all(this.#checks.map(async (check) => ({ check, result: await run(check) })));
    const down = results.filter(({ result }) => result.status === 'down');
    const unavailable = this.#stopping || down.some(({ check }) => check.essential);
    return {
      status: unavailable ? 'unavailable' : down.length > 0 ? 'degraded' : 'ready',
      versions: {
        app: this.appVersion,
        node: process.versions.node,
        timeZoneData: process.versions['tz'] ?? 'unknown',
      },
      checks: Object.fromEntries(results.map(({ check, result }) => [check.name, result])),
    };
  }
}

async function run(check: HealthCheck): Promise<{ status: 'up' | 'down' }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS);
  });
  try {
    return { status: 'up', ...(await Promise.race([check.check(), late])) };
  } catch {
    // Reasons may name hosts and health is public: the reason is only in the log of the dependency.
    return { status: 'down' };
  } finally {
    clearTimeout(timer);
  }
}
