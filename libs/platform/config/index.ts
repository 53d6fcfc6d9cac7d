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
export { ConfigError, loadConfig, loadMcpConfig } from './config.load';
export { McpConfig } from './config.mcp';
export { ConfigModule } from './config.module';
export { describeConfig, envExample } from './config.print';
export { VERSION } from './version';
export { variables } from './variable';
