import { getConnectionToken } from '@nestjs/mongoose';
import { Test } from '@nestjs/testing';
import { ClockModule } from '@platform/clock';
import { Config, ConfigModule } from '@platform/config';
import { LogService, ObservabilityModule, rootLogger } from '@platform/observability';
import { SecretsModule } from '@platform/secrets';
import { eventually, FaultProxy, testConfig } from '@testing';
import { type Connection } from 'mongoose';
import { DatabaseModule } from './database.module';

it('a process that starts before MongoDB logs its wait and works once MongoDB is available', async () => {
  const proxy = new FaultProxy(testConfig().mongodbUri);
  const config = testConfig({ MONGODB_URI: await proxy.start() });
  await proxy.cut();
  let text = '';
  const log = new LogService(rootLogger({ level: 'info', app: 'test', write: (line) => (text += line) }));

  const starting = Test.createTestingModule({
    imports: [
      ConfigModule,
      ClockModule,
      ObservabilityModule.forRoot('test', '0'),
      SecretsModule,
      DatabaseModule.forRoot('test'),
    ],
  })
    .overrideProvider(Config)
    .useValue(config)
    .overrideProvider(LogService)
    .useValue(log)
    .compile();
  await eventually('it says why it waits', () => /MongoDB cannot be reached at the start.*ECONNREFUSED/s.test(text));
  await proxy.restore();

  const module = await starting;
  const connection = module.get<Connection>(getConnectionToken());
  expect(await connection.db!.command({ ping: 1 })).toMatchObject({ ok: 1 });
  await module.close();
  await proxy.cut();
});
