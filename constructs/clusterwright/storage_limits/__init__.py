"""What AWS accepts for a bucket or a file system: tables with source and date, and questions to ask them."""
