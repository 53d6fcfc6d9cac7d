import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { HealthService } from '@platform/observability';
import { type Connection } from 'mongoose';

/** Reports whether MongoDB answers; no process is ready without it. */
@Injectable()
export class DatabaseHealthService {
  constructor(@InjectConnection() connection: Connection, health: HealthService) {
    health.register({
      name: 'mongodb',
      essential: true,
      check: async () => {
        const started = performance.now();
        if (!connection.db) throw new Error('not connected');
        await connection.db.command({ ping: 1 });
        return { latencyMs: Math.round((performance.now() - started) * 10) / 10 };
      },
    });
  }
}
