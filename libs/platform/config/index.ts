export {
  AssetError,
  type AssetSource,
  AssetValueError,
  compilePattern,
  type Fragments,
  listAssetFolders,
  listAssets,
  loadAsset,
} from './asset-loader';
export { AssetSet, loadAllAssets } from './asset-set';
export { Config } from './config';
export { ConfigError, loadConfig, loadMcpConfig } from './load-config';
export { McpConfig } from './mcp-config';
export { ConfigModule } from './config.module';
export { describeConfig, envExample } from './print-config';
export { VERSION } from './version';
export { variables } from './variable';
