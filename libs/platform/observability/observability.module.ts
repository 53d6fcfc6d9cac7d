import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { HealthChecks } from './health.service';
import { Log, rootLogger } from './log';
import { Metrics } from './metrics.service';
import { NestLog } from './nest.log';
import { OpsServer } from './ops.server';

@Global()
@Module({})
export class ObservabilityModule {
  /** `app` is the process's name in every log line; `version` appears in health reports. */
  static forRoot(app: string, version: string): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [
        {
          provide: Log,
          inject: [Config],
          useFactory: (config: Config) => new Log(rootLogger({ level: config.logLevel, app })),
        },
        { provide: HealthChecks, useFactory: () => new HealthChecks(version) },
        NestLog,
        {
          provide: Metrics,
          useFactory: () => {
            const metrics = new Metrics();
            metrics.build.set({ app, version }, 1);
            return metrics;
          },
        },
        OpsServer,
      ],
      exports: [Log, NestLog, Metrics, HealthChecks, OpsServer],
    };
  }
}
