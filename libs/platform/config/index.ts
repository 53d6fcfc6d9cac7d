export { Config } from './config';
export { ConfigError, loadConfig } from './config.load';
export { ConfigModule } from './config.module';
export { describeConfig, envExample } from './config.print';
export { VERSION } from './version';
export { variables } from './variable';
