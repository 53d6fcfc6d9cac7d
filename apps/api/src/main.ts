import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Config, loadAllAssets } from '@platform/config';
import { Presence } from '@platform/fleet';
import { runProcess, type RunningProcess } from '@platform/lifecycle';
import { HealthChecks, Log, OpsServer } from '@platform/observability';
import { ApiModule } from './api.module';
import { setUpApi } from './api.setup';
import { closeGently } from './http';

async function start(): Promise<RunningProcess> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  const config = app.get(Config);
  loadAllAssets(config.assetsDir);
  const log = app.get(Log);
  await app.get(Presence).begin('api');
  setUpApi(app);
  await app.init();
  await app.listen(config.apiPort, config.apiHost);
  await app.get(OpsServer).listen(config.apiMetricsPort, config.opsHost);
  log.info('API is ready', { url: await app.getUrl() });
  return {
    log,
    stopWithinMs: config.shutdownTimeoutSeconds * 1000,
    stop: async () => {
      app.get(HealthChecks).stopping();
      await closeGently(app.getHttpServer());
      await app.get(OpsServer).close();
      await app.close();
    },
  };
}

runProcess(start);
