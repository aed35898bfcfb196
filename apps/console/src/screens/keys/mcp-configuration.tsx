import { CopySecret } from '../../ui/secret-dialog.tsx';
import classes from './mcp-configuration.module.css';

/** The configuration that most hosts of MCP clients accept: docs/agents.md, "MCP". */
const configurationOf = (secret: string) =>
  JSON.stringify(
    {
      mcpServers: {
        countersign: {
          type: 'http',
          url: `${location.origin}/mcp`,
          headers: { Authorization: `Bearer ${secret}` },
        },
      },
    },
    null,
    2,
  );

/** How an agent connects over MCP with a new key. It contains the key, so it is shown only as long as the key is. */
export function McpConfiguration({ secret }: { secret: string }) {
  const configuration = configurationOf(secret);
  return (
    <section className={classes.configuration} aria-label="Configuration for MCP">
      <p className={classes.hint}>
        An agent that uses MCP connects with this configuration, which contains the key.{' '}
        <a href="/docs/agents#mcp" target="_blank" rel="noopener">
          How agents use it
        </a>
      </p>
      <pre className={classes.json} data-testid="mcp-configuration">
        {configuration}
      </pre>
      <CopySecret value={configuration} label="Copy configuration" />
    </section>
  );
}
