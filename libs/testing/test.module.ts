import { type ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ClockPort, ClockModule } from '@platform/clock';
import { Config, ConfigModule } from '@platform/config';
import { CollectionIndexService, DatabaseModule } from '@platform/database';
import { ObservabilityModule } from '@platform/observability';
import { HooksModule } from '@platform/hooks';
import { SecretsModule } from '@platform/secrets';
import { FakeClock } from './fake-clock';
import { expectValidEvents } from './recorded-events';
import { returnDatabase, reuseConfig, MissingCollections } from './kept-databases';

export interface TestDatabase {
  module: TestingModule;
  clock: FakeClock;
  config: Config;
  /** Disconnects and returns the database. @throws Error when recorded events violate their schemas */
  close(): Promise<void>;
}

/** The platform libraries with an exclusive database, plus the modules of a spec: for specs that need MongoDB but no HTTP. */
export async function openTestDatabase(
  metadata: ModuleMetadata,
  overrides: Record<string, string> = {},
): Promise<TestDatabase> {
  const clock = new FakeClock();
  const config = reuseConfig(overrides, 'modules');
  const module = await Test.createTestingModule({
    ...metadata,
    imports: [
      ConfigModule,
      ClockModule,
      ObservabilityModule.forRoot('test', '0'),
      HooksModule,
      SecretsModule,
      DatabaseModule.forRoot('test'),
      ...(metadata.imports ?? []),
    ],
  })
    .overrideProvider(Config)
    .useValue(config)
    .overrideProvider(ClockPort)
    .useValue(clock)
    .overrideProvider(CollectionIndexService)
    .useClass(MissingCollections)
    .compile();
  await module.init();
  return {
    module,
    clock,
    config,
    close: async () => {
      try {
        await expectValidEvents(module);
      } finally {
        await module.close();
        await returnDatabase(config);
      }
    },
  };
}
