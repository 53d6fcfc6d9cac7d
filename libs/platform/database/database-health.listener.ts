import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { HealthService } from '@platform/observability';
import { type Connection } from 'mongoose';

/** Reports whether MongoDB answers; no process is ready without it. */
@Injectable()
export class DatabaseHealthListener implements OnModuleInit {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly health: HealthService,
  ) {}

  onModuleInit(): void {
    this.health.register({ name: 'mongodb', essential: true, check: () => this.#ping() });
  }

  async #ping(): Promise<{ latencyMs: number }> {
    const started = performance.now();
    if (!this.connection.db) throw new Error('not connected');
    await this.connection.db.command({ ping: 1 });
    return { latencyMs: Math.round((performance.now() - started) * 10) / 10 };
  }
}
