export {
  type AssetSource,
  compilePattern,
  type Fragments,
  listAssetFolders,
  listAssets,
  loadAsset,
} from './asset-loader';
export { AssetError, AssetValueError } from './asset.errors';
export { AssetSet, loadAllAssets } from './asset-set';
export { Config } from './config';
export { loadConfig, loadMcpConfig } from './load-config';
export { ConfigError } from './config.errors';
export { McpConfig } from './mcp-config';
export { ConfigModule } from './config.module';
export { describeConfig, envExample } from './print-config';
export { VERSION } from './version';
export { variables } from './variable';
