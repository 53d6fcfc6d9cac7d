import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { HealthService } from './health.service';
import { LogService, rootLogger } from './log.service';
import { MetricsService } from './metrics.service';
import { NestLogAdapter } from './nest-log-adapter';
import { OpsServerService } from './ops-server.service';

@Global()
@Module({})
export class ObservabilityModule {
  /** `app` is the process's name in every log line; `version` appears in health reports. */
  static forRoot(app: string, version: string): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [
        {
          provide: LogService,
          inject: [Config],
          useFactory: (config: Config) => new LogService(rootLogger({ level: config.logLevel, app })),
        },
        { provide: HealthService, useFactory: () => new HealthService(version) },
        { provide: NestLogAdapter, inject: [LogService], useFactory: (log: LogService) => new NestLogAdapter(log) },
        {
          provide: MetricsService,
          useFactory: () => {
            const metrics = new MetricsService();
            metrics.build.set({ app, version }, 1);
            return metrics;
          },
        },
        OpsServerService,
      ],
      exports: [LogService, NestLogAdapter, MetricsService, HealthService, OpsServerService],
    };
  }
}
