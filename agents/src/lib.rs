//! What is known of each agent: its tools, its transcripts, its trace formats.
