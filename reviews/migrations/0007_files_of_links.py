from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0006_programs'),
    ]

    operations = [
        migrations.AddField(
            model_name='link',
            name='allows_files',
            field=models.BooleanField(default=False),
        ),
    ]
