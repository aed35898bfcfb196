// Mantine's own layers first, so that what a screen says about itself wins.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './base.css';
