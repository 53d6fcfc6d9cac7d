import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One name that a file declares: a class, function, type, constant, or a member of a class or an interface. */
export interface DeclaredName {
  readonly name: string;
  readonly what: 'class' | 'function' | 'type' | 'constant' | 'method' | 'field';
  readonly exported: boolean;
}

export interface ParsedClass {
  readonly name: string;
  readonly exported: boolean;
  readonly decorators: readonly string[];
  readonly extends: string | null;
  /** Methods and accessors without `private`, `protected`, `#` or a life-cycle name. */
  readonly publicMethods: readonly string[];
  readonly constructorParameters: number;
}

export interface ParsedFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly classes: readonly ParsedClass[];
  readonly names: readonly DeclaredName[];
}

/** Names of methods that Nest calls are not chosen by the project. */
const LIFE_CYCLE =
  /^(onModuleInit|onModuleDestroy|onApplicationBootstrap|onApplicationShutdown|beforeApplicationShutdown)$/;

/** Paths of all TypeScript files below the folders, relative to the root. */
function listSources(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$/.test(name) && !/(^|\/)(node_modules|generated|dist)\//.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}

export function parseTree(root: string, folders: readonly string[]): ParsedFile[] {
  return listSources(root, folders).map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export function parseSource(path: string, text: string): ParsedFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const classes: ParsedClass[] = [];
  const names: DeclaredName[] = [];
  for (const statement of source.statements) {
    const exported = hasModifier(statement, ts.SyntaxKind.ExportKeyword);
    if (ts.isClassDeclaration(statement) && statement.name) {
      classes.push(parseClass(statement, exported, source));
      names.push({ name: statement.name.text, what: 'class', exported }, ...membersOf(statement.members));
    } else if (ts.isFunctionDeclaration(statement) && statement.name) {
      names.push({ name: statement.name.text, what: 'function', exported });
    } else if (ts.isInterfaceDeclaration(statement)) {
      names.push({ name: statement.name.text, what: 'type', exported }, ...membersOf(statement.members));
    } else if (ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement)) {
      names.push({ name: statement.name.text, what: 'type', exported });
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) names.push({ name: name.text, what: 'constant', exported });
      }
    }
  }
  return { path, lines: text.split('\n').length - 1, classes, names };
}

function parseClass(node: ts.ClassDeclaration, exported: boolean, source: ts.SourceFile): ParsedClass {
  const [base] = (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => [...types]);
  const publicMethods = node.members
    .filter((member) => ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member))
    .filter((member) => ts.isIdentifier(member.name) && !isHidden(member))
    .map((member) => (member.name as ts.Identifier).text)
    .filter((name) => !LIFE_CYCLE.test(name));
  return {
    name: node.name?.text ?? '',
    exported,
    decorators: (ts.getDecorators(node) ?? []).map(({ expression }) => expression.getText(source).split('(')[0] ?? ''),
    extends: base ? base.expression.getText(source) : null,
    publicMethods: [...new Set(publicMethods)],
    constructorParameters: node.members.find((member) => ts.isConstructorDeclaration(member))?.parameters.length ?? 0,
  };
}

function membersOf(members: ts.NodeArray<ts.ClassElement | ts.TypeElement>): DeclaredName[] {
  return [...members].flatMap((member): DeclaredName[] => {
    if (ts.isConstructorDeclaration(member)) {
      return member.parameters
        .filter((parameter) => (parameter.modifiers ?? []).length > 0 && ts.isIdentifier(parameter.name))
        .map(({ name }) => ({ name: (name as ts.Identifier).text, what: 'field', exported: false }));
    }
    const name = member.name;
    if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
    const isMethod = ts.isMethodDeclaration(member) || ts.isMethodSignature(member);
    return [{ name: name.text.replace(/^#/, ''), what: isMethod ? 'method' : 'field', exported: false }];
  });
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

function isHidden(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.PrivateKeyword) || hasModifier(node, ts.SyntaxKind.ProtectedKeyword);
}
