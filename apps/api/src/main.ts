import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Config, loadAllAssets } from '@platform/config';
import { ClusterMembershipService } from '@platform/cluster';
import { runProcess, type RunningProcess } from '@platform/lifecycle';
import { HealthService, LogService, OpsServerService } from '@platform/observability';
import { ApiModule } from './api.module';
import { setUpApi } from './api-setup';
import { closeGracefully } from './http';

async function start(): Promise<RunningProcess> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  const config = app.get(Config);
  loadAllAssets(config.assetsDir);
  const log = app.get(LogService);
  await app.get(ClusterMembershipService).start('api');
  setUpApi(app);
  await app.init();
  await app.listen(config.apiPort, config.apiHost);
  await app.get(OpsServerService).listen(config.apiMetricsPort, config.opsHost);
  log.info('API is ready', { url: await app.getUrl() });
  return {
    log,
    stopWithinMs: config.shutdownTimeoutSeconds * 1000,
    stop: async () => {
      app.get(HealthService).stopping();
      await closeGracefully(app.getHttpServer());
      await app.get(OpsServerService).close();
      await app.close();
    },
  };
}

runProcess(start);
