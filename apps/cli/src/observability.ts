import { type DynamicModule } from '@nestjs/common';
import { Config, VERSION } from '@platform/config';
import { LogService, ObservabilityModule, rootLogger } from '@platform/observability';

/** As in the other processes, but the log goes to standard error: standard output is for results. */
export function observability(app: string): DynamicModule {
  const module = ObservabilityModule.forRoot(app, VERSION);
  const write = (line: string) => process.stderr.write(line);
  const log = {
    provide: LogService,
    inject: [Config],
    useFactory: (config: Config) => new LogService(rootLogger({ level: config.logLevel, app, write })),
  };
  return { ...module, providers: [...(module.providers ?? []), log] };
}
